// Evaluation of contractions.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

bool EvalDotGeneral(op::EvalContext& cx);

}  // namespace spmdc::ops
