// Combining two numbers in a monoid, element by element: what reductions over devices and scatters compute.
#pragma once

#include "mesh/sharding.h"
#include "tensor/literal.h"

namespace spmdc::ops {

// to[i] = monoid(to[i], with[j]) in the element type, rounded once. Both of one element type; the monoid is a known one.
void CombineElement(mesh::Monoid monoid, tensor::Literal& to, int64_t i, const tensor::Literal& with, int64_t j);

// The terms' combination in order: narrow floats are summed in f32 and rounded once at the end.
tensor::Literal CombineAll(mesh::Monoid monoid, llvm::ArrayRef<const tensor::Literal*> terms);

}  // namespace spmdc::ops
