// Products of dense matrices on the host: what contractions and convolutions come down to.
#pragma once

#include "tensor/literal.h"

namespace spmdc::ops {

struct MatrixSizes {
  int64_t batch = 1, rows = 1, k = 1, columns = 1;
};
// a [batch, rows, k] times b [batch, k, columns] -> [batch, rows, columns]; all of one element type that ComputeType gives,
// which is also the one that sums are kept in.
tensor::Literal MultiplyMatrices(const tensor::Literal& a, const tensor::Literal& b, const MatrixSizes& sizes);

}  // namespace spmdc::ops
