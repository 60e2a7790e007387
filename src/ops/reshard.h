// Lowering of reshard: see reshard.cc.
#pragma once

#include "op/localize.h"

namespace spmdc::ops {

bool LocalizeReshard(op::LocalizeContext& cx);

}  // namespace spmdc::ops
