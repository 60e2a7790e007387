// Lowering of dynamic_slice and dynamic_update_slice: see dynamic_slice_localize.cc.
#pragma once

#include "op/localize.h"

namespace spmdc::ops {

bool LocalizeDynamicSlice(op::LocalizeContext& cx);
bool LocalizeDynamicUpdateSlice(op::LocalizeContext& cx);

}  // namespace spmdc::ops
