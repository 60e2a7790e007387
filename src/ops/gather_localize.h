// Lowering of gather and scatter: see gather_localize.cc.
#pragma once

#include "op/localize.h"

namespace spmdc::ops {

bool LocalizeGather(op::LocalizeContext& cx);
bool LocalizeScatter(op::LocalizeContext& cx);

}  // namespace spmdc::ops
