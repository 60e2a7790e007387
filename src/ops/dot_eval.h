// Evaluation of contractions.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

bool EvalDotGeneral(op::EvalContext& cx);

// The widest of the operands' and the result's types to compute in: products of narrow floats are summed in f32.
tensor::DType SumType(const tensor::Literal& a, const tensor::Literal& b, tensor::DType result);

}  // namespace spmdc::ops
