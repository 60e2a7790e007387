// Evaluation of contractions.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

bool EvalDotGeneral(op::EvalContext& cx);

struct MatrixSizes {
  int64_t batch = 1, rows = 1, k = 1, columns = 1;
};
// a [batch, rows, k] times b [batch, k, columns], both of element type `sum`.
tensor::Literal MultiplyMatrices(const tensor::Literal& a, const tensor::Literal& b, const MatrixSizes& sizes,
                                 tensor::DType sum);
// The widest of the operands' and the result's types to compute in: products of narrow floats are summed in f32.
tensor::DType SumType(const tensor::Literal& a, const tensor::Literal& b, tensor::DType result);

}  // namespace spmdc::ops
