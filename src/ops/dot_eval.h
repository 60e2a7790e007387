// Evaluation of contractions.
#pragma once

#include "op/eval.h"
#include "ops/dot.h"

namespace spmdc::ops {

bool EvalDotGeneral(op::EvalContext& cx);
// The contraction of two arrays with elements of type `result`.
tensor::Literal Contract(const DotGeneralAttrs& attrs, const tensor::Literal& lhs, const tensor::Literal& rhs,
                         tensor::DType result);

// The widest of the operands' and the result's types to compute in: products of narrow floats are summed in f32.
tensor::DType SumType(const tensor::Literal& a, const tensor::Literal& b, tensor::DType result);

}  // namespace spmdc::ops
