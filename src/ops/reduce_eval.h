// Evaluation of reductions.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

bool EvalReduce(op::EvalContext& cx);

}  // namespace spmdc::ops
