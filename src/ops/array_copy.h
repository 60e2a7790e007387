// Copying boxes of elements between arrays, whatever the element type.
#pragma once

#include "tensor/literal.h"

namespace spmdc::ops {

// For every index i of `box`: to[i . to_strides] = from[i . from_strides], elements of `width` bytes. Strides count
// elements and may be negative. Runs that are contiguous on both sides are copied at once.
void CopyElements(const char* from, llvm::ArrayRef<int64_t> from_strides, char* to, llvm::ArrayRef<int64_t> to_strides,
                  llvm::ArrayRef<int64_t> box, int64_t width);

// For every index i of `box`: to[to_start + i] = from[from_start + i * from_step]. Both arrays are dense and of one element
// type; everything is within bounds.
void CopyBox(const tensor::Literal& from, llvm::ArrayRef<int64_t> from_start, llvm::ArrayRef<int64_t> from_step,
             tensor::Literal& to, llvm::ArrayRef<int64_t> to_start, llvm::ArrayRef<int64_t> box);
void CopyBox(const tensor::Literal& from, llvm::ArrayRef<int64_t> from_start, tensor::Literal& to,
             llvm::ArrayRef<int64_t> to_start, llvm::ArrayRef<int64_t> box);

// HLO's pad: element i of x goes to low + i * (interior + 1), if that is in the result; the rest is `fill`, a scalar.
tensor::Literal PadLiteral(const tensor::Literal& x, const tensor::Literal& fill, llvm::ArrayRef<int64_t> low,
                           llvm::ArrayRef<int64_t> high, llvm::ArrayRef<int64_t> interior);

// An array full of a scalar.
tensor::Literal Filled(llvm::ArrayRef<int64_t> dims, const tensor::Literal& scalar);

}  // namespace spmdc::ops
