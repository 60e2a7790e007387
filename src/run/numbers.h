// Floats of every type as doubles, quickly: for measuring errors and looking for NaN.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "tensor/literal.h"

namespace spmdc::run {

// Floats or complex numbers.
inline bool IsInexact(tensor::DType dtype) { return tensor::IsFloat(dtype) || tensor::IsComplex(dtype); }

// The same elements in tensor::Wider's type; shared where that is their own.
tensor::Literal Widen(const tensor::Literal& literal);
// The numbers of a literal of type f64 or c128; of c128 real and imaginary parts alternate.
llvm::ArrayRef<double> Doubles(const tensor::Literal& wide);
// Elements [begin, begin + count) of an array of floats.
void DecodeRow(const tensor::Literal& literal, int64_t begin, int64_t count, llvm::SmallVectorImpl<double>& numbers);
// Calls visit(numbers) for the numbers of an array of floats or complex numbers in turn, some at a time, until it is false;
// false then.
bool VisitNumbers(const tensor::Literal& literal, llvm::function_ref<bool(llvm::ArrayRef<double>)> visit);

bool HasNaN(const tensor::Literal& literal);
// Whether every element is NaN (and there is one).
bool IsAllNaN(const tensor::Literal& literal);
// The largest finite |element|; 0 if there is none, and for types that are exact.
double LargestFinite(const tensor::Literal& literal);

}  // namespace spmdc::run
