// Evaluation of gather and scatter: see gather_eval.cc.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

bool EvalGather(op::EvalContext& cx);
bool EvalScatter(op::EvalContext& cx);

}  // namespace spmdc::ops
