// Numpy on static values, and names of element types.
#pragma once

#include <optional>

#include "text/native/evaluator.h"

namespace spmdc::text::native {

// "float32", "f32", "bfloat16", "bool", "pred", ...
std::optional<tensor::DType> DTypeByName(llvm::StringRef name);
// int, float, bool, complex as dtypes (numpy's 64-bit ones).
std::optional<tensor::DType> DTypeOfPythonType(const Value& builtin);
// 64-bit types as JAX takes them with x64 off: s64 -> s32, f64 -> f32, ...
tensor::DType Canonical(tensor::DType dtype);
// The same but in the flat form, where types are exact.
tensor::DType Canonical(const Evaluator& ev, tensor::DType dtype);

std::string NumpyText(const NdArrayObj& array, bool repr);
// A number, a nested sequence of numbers (and of devices) as numpy makes an array of it; none after a diagnostic.
// `dtype` may be left open.
std::optional<tensor::Literal> ToLiteral(Evaluator& ev, const Value& v, std::optional<tensor::DType> dtype,
                                         bool* devices = nullptr);
// Whether a value is, or nests, nothing but static numbers and arrays.
bool IsStaticArrayLike(const Value& v);
// An element as a Python number.
Value Element(Evaluator& ev, const tensor::Literal& literal, int64_t i);

Value NumpyBinary(Evaluator& ev, Operator op, const Value& a, const Value& b);
Value NumpyUnary(Evaluator& ev, Operator op, const Value& a);
Value NumpyCompare(Evaluator& ev, Operator op, const Value& a, const Value& b);
Value NumpyGetItem(Evaluator& ev, const NdArrayObj& array, const Value& index);
// The rule of a list or an array of devices that is not spelled out.
std::optional<DeviceGrid> GridOf(const Value& v);
Value NumpyGetAttr(Evaluator& ev, const Value& array, llvm::StringRef name);

// start, stop and step of a slice over `size` elements, as Python's slice.indices; and how many elements it has.
struct SliceRange {
  int64_t start = 0, stop = 0, step = 1, count = 0;
};
std::optional<SliceRange> ResolveSlice(Evaluator& ev, const SliceObj& slice, int64_t size);

// str % values.
Value PercentFormat(Evaluator& ev, const std::string& format, const Value& values);
// format(value, spec) for numbers and texts.
std::optional<std::string> FormatValue(Evaluator& ev, const Value& value, llvm::StringRef spec);

}  // namespace spmdc::text::native
