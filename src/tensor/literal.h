// Literals: arrays in host memory, as constants of a program and as the values of a run.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "support/check.h"
#include "tensor/dtype.h"

namespace spmdc::tensor {

using Dims = llvm::SmallVector<int64_t, 4>;

// The number of elements; 1 for rank 0.
int64_t NumElements(llvm::ArrayRef<int64_t> dims);
// Row-major strides in elements.
Dims Strides(llvm::ArrayRef<int64_t> dims);
// Counts index up row-major within dims; false after the last.
bool NextIndex(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> dims);

// Row-major, ByteWidth(dtype) bytes an element in the machine's byte order. Copies share their bytes; writing makes them
// unique first. A splat stores one element whatever its dims. An unknown literal (an elided constant) has no elements.
class Literal {
 public:
  Literal() = default;
  // All bytes zero.
  Literal(DType dtype, llvm::ArrayRef<int64_t> dims);
  // Bytes that are not cleared: whoever makes it writes every element.
  static Literal Unwritten(DType dtype, llvm::ArrayRef<int64_t> dims);
  // From the bytes of all elements.
  static Literal Dense(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<char> bytes);
  static Literal Splat(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<char> element);
  static Literal Unknown(DType dtype, llvm::ArrayRef<int64_t> dims);
  // A splat of a number, converted to dtype.
  static Literal Number(DType dtype, llvm::ArrayRef<int64_t> dims, double value);
  static Literal Integer(DType dtype, llvm::ArrayRef<int64_t> dims, int64_t value);
  // Dense s64/f64-style construction by conversion.
  static Literal Integers(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> values);
  static Literal Numbers(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<double> values);

  DType dtype() const { return dtype_; }
  llvm::ArrayRef<int64_t> dims() const { return dims_; }
  int64_t size() const { return NumElements(dims_); }
  bool is_unknown() const { return form_ == Form::Unknown; }
  bool is_splat() const { return form_ == Form::Splat; }
  bool empty() const { return bytes_ == nullptr; }

  // The same elements without sharing one: every element has its place.
  Literal Materialize() const;
  // The same elements under other dims of equal count.
  Literal WithDims(llvm::ArrayRef<int64_t> dims) const;
  // Each element converted as XLA's convert does.
  Literal ConvertTo(DType dtype) const;

  // Elements as their C++ type: bool as uint8_t, f16/bf16/f8 as raw bits. Only for dense literals.
  template <typename T>
  llvm::ArrayRef<T> data() const {
    SPMDC_CHECK(form_ == Form::Dense, "data() of a literal that is not dense");
    return {reinterpret_cast<const T*>(bytes_.get()), num_bytes_ / sizeof(T)};
  }
  template <typename T>
  llvm::MutableArrayRef<T> mutable_data() {
    MakeUnique();
    return {reinterpret_cast<T*>(bytes_.get()), num_bytes_ / sizeof(T)};
  }
  llvm::ArrayRef<char> raw() const { return {bytes_.get(), num_bytes_}; }
  char* mutable_raw() {
    MakeUnique();
    return bytes_.get();
  }

  // Element i in row-major order (any i of a splat), by value. Int is for integers and pred, Real for floats and integers,
  // Complex for all numbers.
  int64_t GetInt(int64_t i) const;
  double GetReal(int64_t i) const;
  std::complex<double> GetComplex(int64_t i) const;
  void SetInt(int64_t i, int64_t value);
  void SetReal(int64_t i, double value);
  void SetComplex(int64_t i, std::complex<double> value);

  // Same type, dims and bits (a splat equals the dense literal it stands for).
  friend bool operator==(const Literal& a, const Literal& b);

 private:
  enum class Form : uint8_t { Dense, Splat, Unknown };
  // Without bytes of its own where there are none of the form.
  Literal(DType dtype, llvm::ArrayRef<int64_t> dims, Form form);
  void MakeUnique();
  const char* At(int64_t i) const;

  DType dtype_ = DType::F32;
  Form form_ = Form::Unknown;
  Dims dims_;
  std::shared_ptr<char[]> bytes_;
  size_t num_bytes_ = 0;
};

}  // namespace spmdc::tensor
