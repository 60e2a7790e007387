// Copies between arrays that walk both by strides: what rearranging ops evaluate to.
#pragma once

#include "tensor/literal.h"

namespace spmdc::ops {

// A dense literal of `dims` whose element at index (i0, i1, ...) is source's element at offset + sum(i * strides), all in
// elements. Strides may be zero (repeats) or negative.
tensor::Literal CopyStrided(const tensor::Literal& source, llvm::ArrayRef<int64_t> dims,
                            llvm::ArrayRef<int64_t> strides, int64_t offset = 0);

// The result dim d is the operand's dim permutation[d].
tensor::Literal Transposed(const tensor::Literal& x, llvm::ArrayRef<int64_t> permutation);

}  // namespace spmdc::ops
