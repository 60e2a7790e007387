// The door to oneDNN, which multiplies large f32 matrices.
#pragma once

#include "ops/matmul.h"

namespace spmdc::ops {

// c = a b as MultiplyMatrices lays them out, on the calling thread alone, so that results do not depend on threads. The
// library is opened at the first call: linked, it would triple the start-up of the whole tool. False where there is none;
// then c is as it was.
bool MultiplyByOneDnn(const float* a, const float* b, float* c, const MatrixSizes& sizes);

}  // namespace spmdc::ops
