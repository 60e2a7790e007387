// Errors against wider floats, and the comparison of a block with its range of a whole value.
#include "run/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace spmdc::run {

using tensor::DClass;
using tensor::DType;
using tensor::Literal;

namespace {

bool IsInexact(DType dtype) { return tensor::IsFloat(dtype) || tensor::IsComplex(dtype); }

// Part `i` of a float array (an element) or of a complex one (real and imaginary parts alternate).
double Part(const Literal& literal, bool complex, int64_t i) {
  if (!complex) {
    return literal.GetReal(i);
  }
  std::complex<double> element = literal.GetComplex(i / 2);
  return i % 2 ? element.imag() : element.real();
}

// Calls visit(value, wide) for every number of both.
template <typename Visit>
void ForEachPair(const Literal& value, const Literal& wide, Visit visit) {
  if (value.dtype() == DType::F32 && wide.dtype() == DType::F64) {
    llvm::ArrayRef<float> a = value.data<float>();
    llvm::ArrayRef<double> b = wide.data<double>();
    for (size_t i = 0; i < a.size(); ++i) {
      visit(static_cast<double>(a[i]), b[i]);
    }
    return;
  }
  bool complex = tensor::IsComplex(value.dtype());
  for (int64_t i = 0, n = value.size() * (complex ? 2 : 1); i < n; ++i) {
    visit(Part(value, complex, i), Part(wide, complex, i));
  }
}

template <typename Visit>
void ForEachNumber(const Literal& value, Visit visit) {
  if (value.dtype() == DType::F32) {
    for (float number : value.data<float>()) {
      visit(static_cast<double>(number));
    }
    return;
  }
  bool complex = tensor::IsComplex(value.dtype());
  for (int64_t i = 0, n = value.size() * (complex ? 2 : 1); i < n; ++i) {
    visit(Part(value, complex, i));
  }
}

std::string Show(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
  return text;
}

std::string ShowElement(const Literal& literal, int64_t i) {
  switch (tensor::Class(literal.dtype())) {
    case DClass::Pred:
      return literal.GetInt(i) ? "true" : "false";
    case DClass::Float:
      return Show(literal.GetReal(i));
    case DClass::Complex: {
      std::complex<double> element = literal.GetComplex(i);
      return "(" + Show(element.real()) + ", " + Show(element.imag()) + ")";
    }
    case DClass::Unsigned:
      return std::to_string(static_cast<uint64_t>(literal.GetInt(i)));
    default:
      return std::to_string(literal.GetInt(i));
  }
}

// The error of one number; 0 where it is as it should be, NaN where no error is finite.
double ErrorOf(double got, double expected, bool overflowed) {
  if (std::isfinite(got) && std::isfinite(expected)) {
    return std::abs(got - expected);
  }
  bool same = (std::isnan(got) && std::isnan(expected)) || got == expected;
  return same || (overflowed && !std::isfinite(expected)) ? 0 : std::numeric_limits<double>::quiet_NaN();
}

double ElementError(const Literal& block, int64_t a, const Literal& whole, int64_t b, bool overflowed) {
  switch (tensor::Class(block.dtype())) {
    case DClass::Float:
      return ErrorOf(block.GetReal(a), whole.GetReal(b), overflowed);
    case DClass::Complex: {
      std::complex<double> got = block.GetComplex(a);
      std::complex<double> expected = whole.GetComplex(b);
      double real = ErrorOf(got.real(), expected.real(), overflowed);
      double imag = ErrorOf(got.imag(), expected.imag(), overflowed);
      return std::isnan(real) ? real : std::isnan(imag) ? imag : std::max(real, imag);
    }
    default: {
      int64_t got = block.GetInt(a);
      int64_t expected = whole.GetInt(b);
      return got == expected ? 0 : std::max(1.0, std::abs(static_cast<double>(got) - static_cast<double>(expected)));
    }
  }
}

tensor::Dims IndexAt(llvm::ArrayRef<int64_t> dims, int64_t element) {
  tensor::Dims index;
  for (int64_t stride : tensor::Strides(dims)) {
    index.push_back(element / stride);
    element %= stride;
  }
  return index;
}

}  // namespace

Tolerance ToleranceOf(const Literal& value, const Literal& wide) {
  Tolerance tolerance;
  if (!IsInexact(value.dtype())) {
    return tolerance;
  }
  double error = 0;
  double largest = 0;
  ForEachPair(value, wide, [&](double number, double exact) {
    if (!std::isfinite(exact)) {
      return;
    }
    largest = std::max(largest, std::abs(exact));
    if (std::isfinite(number)) {
      error = std::max(error, std::abs(number - exact));
    } else {
      tolerance.overflowed = true;
    }
  });
  tolerance.rounding = std::max(error, largest * tensor::Epsilon(value.dtype()));
  return tolerance;
}

double RoundingOf(const Literal& value) {
  if (!IsInexact(value.dtype())) {
    return 0;
  }
  double largest = 0;
  ForEachNumber(value, [&](double number) {
    if (std::isfinite(number)) {
      largest = std::max(largest, std::abs(number));
    }
  });
  return largest * tensor::Epsilon(value.dtype());
}

bool IsAllNaN(const Literal& value) {
  if (!IsInexact(value.dtype()) || value.size() == 0) {
    return false;
  }
  bool all = true;
  ForEachNumber(value, [&](double number) { all = all && std::isnan(number); });
  return all;
}

Comparison CompareBlock(const Literal& block, const Literal& whole, const Range& range, double allowed,
                        bool overflowed) {
  tensor::Dims start;
  tensor::Dims extent;
  for (const auto& [begin, end] : range) {
    start.push_back(begin);
    extent.push_back(end - begin);
  }
  Comparison result;
  result.identical = true;
  if (block.raw().data() == whole.raw().data() && block.dims() == whole.dims()) {
    return result;
  }
  int64_t width = tensor::ByteWidth(block.dtype());
  const char* got = block.raw().data();
  const char* expected = whole.raw().data();
  tensor::Dims zero(start.size(), 0);
  ForEachRow(block.dims(), zero, whole.dims(), start, extent, [&](int64_t a, int64_t b, int64_t count) {
    if (std::memcmp(got + a * width, expected + b * width, static_cast<size_t>(count * width)) == 0) {
      return true;
    }
    result.identical = false;
    for (int64_t i = 0; i < count; ++i) {
      double error = ElementError(block, a + i, whole, b + i, overflowed);
      if (error <= (IsInexact(block.dtype()) ? allowed : 0)) {
        continue;
      }
      if (!result.difference) {
        result.difference = {IndexAt(whole.dims(), b + i), ShowElement(block, a + i), ShowElement(whole, b + i), error,
                             0};
      }
      ++result.difference->count;
    }
    return true;
  });
  return result;
}

}  // namespace spmdc::run
