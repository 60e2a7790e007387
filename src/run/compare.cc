// Errors against wider floats, and the comparison of a block with its range of a whole value.
#include "run/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "run/numbers.h"

namespace spmdc::run {

using tensor::DClass;
using tensor::DType;
using tensor::Literal;

namespace {

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

// The errors of `count` elements from a of one array and from b of another.
void RowErrors(const Literal& block, int64_t a, const Literal& whole, int64_t b, int64_t count, bool overflowed,
               llvm::SmallVectorImpl<double>& errors) {
  errors.resize(static_cast<size_t>(count));
  if (tensor::IsFloat(block.dtype())) {
    llvm::SmallVector<double, 0> expected;
    DecodeRow(block, a, count, errors);
    DecodeRow(whole, b, count, expected);
    for (size_t i = 0; i < errors.size(); ++i) {
      errors[i] = ErrorOf(errors[i], expected[i], overflowed);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    double& error = errors[static_cast<size_t>(i)];
    if (tensor::IsComplex(block.dtype())) {
      std::complex<double> got = block.GetComplex(a + i);
      std::complex<double> expected = whole.GetComplex(b + i);
      double real = ErrorOf(got.real(), expected.real(), overflowed);
      double imag = ErrorOf(got.imag(), expected.imag(), overflowed);
      error = std::isnan(real) ? real : std::isnan(imag) ? imag : std::max(real, imag);
    } else {
      int64_t got = block.GetInt(a + i);
      int64_t expected = whole.GetInt(b + i);
      error = got == expected ? 0 : std::max(1.0, std::abs(static_cast<double>(got) - static_cast<double>(expected)));
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

// What rounding did to numbers whose exact values are known.
struct Rounding {
  double error = 0, largest = 0;  // over pairs of finite numbers, and over finite exact ones
  bool overflowed = false;        // some number is not finite although its exact value is

  // Maxima of several numbers at a time, so that they are vector instructions.
  void Add(llvm::ArrayRef<double> numbers, llvm::ArrayRef<double> exact) {
    constexpr size_t kLanes = 8;
    constexpr double kMax = std::numeric_limits<double>::max();
    std::array<double, kLanes> errors{}, sizes{}, lost{};
    auto add = [&](size_t lane, double number, double value) {
      double size = std::abs(value), off = std::abs(number - value), found = std::abs(number);
      size = size <= kMax ? size : -1;
      double missed = found <= kMax ? -1 : size;
      off = size >= 0 && found <= kMax ? off : 0;
      sizes[lane] = size > sizes[lane] ? size : sizes[lane];
      errors[lane] = off > errors[lane] ? off : errors[lane];
      lost[lane] = missed >= 0 ? 1 : lost[lane];
    };
    size_t whole = numbers.size() / kLanes * kLanes;
    for (size_t i = 0; i < whole; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        add(lane, numbers[i + lane], exact[i + lane]);
      }
    }
    for (size_t i = whole; i < numbers.size(); ++i) {
      add(0, numbers[i], exact[i]);
    }
    error = std::max(error, *std::max_element(errors.begin(), errors.end()));
    largest = std::max(largest, *std::max_element(sizes.begin(), sizes.end()));
    overflowed = overflowed || llvm::is_contained(lost, 1.0);
  }
};

}  // namespace

Tolerance ToleranceOf(const Literal& value, const Literal& wide) {
  Tolerance tolerance;
  if (!IsInexact(value.dtype())) {
    return tolerance;
  }
  Rounding rounding;
  if (wide.dtype() == value.dtype()) {
    rounding.largest = LargestFinite(value);
  } else {
    llvm::ArrayRef<double> all = Doubles(wide);
    VisitNumbers(value, [&](llvm::ArrayRef<double> numbers) {
      rounding.Add(numbers, all.take_front(numbers.size()));
      all = all.drop_front(numbers.size());
      return true;
    });
  }
  tolerance.overflowed = rounding.overflowed;
  tolerance.rounding = std::max(rounding.error, rounding.largest * tensor::Epsilon(value.dtype()));
  return tolerance;
}

double RoundingOf(const Literal& value) { return LargestFinite(value) * tensor::Epsilon(value.dtype()); }

Comparison CompareBlock(const Literal& block, const Literal& whole, const Range& range, double allowed,
                        bool overflowed) {
  Box box = BoxOf(range);
  Comparison result;
  allowed = IsInexact(block.dtype()) ? allowed : 0;
  result.identical = true;
  if (block.raw().data() == whole.raw().data() && block.dims() == whole.dims()) {
    return result;
  }
  int64_t width = tensor::ByteWidth(block.dtype());
  const char* got_bytes = block.raw().data();
  const char* expected_bytes = whole.raw().data();
  tensor::Dims zero(box.start.size(), 0);
  ForEachRow(block.dims(), zero, whole.dims(), box.start, box.extent, [&](int64_t a, int64_t b, int64_t count) {
    if (std::memcmp(got_bytes + a * width, expected_bytes + b * width, static_cast<size_t>(count * width)) == 0) {
      return true;
    }
    result.identical = false;
    llvm::SmallVector<double, 0> errors;
    RowErrors(block, a, whole, b, count, overflowed, errors);
    for (int64_t i = 0; i < count; ++i) {
      double error = errors[static_cast<size_t>(i)];
      if (error <= allowed) {
        continue;
      }
      if (!result.difference) {
        std::string got = ShowElement(block, a + i);
        result.difference = {IndexAt(whole.dims(), b + i), got, ShowElement(whole, b + i), error, 0};
      }
      ++result.difference->count;
    }
    return true;
  });
  return result;
}

}  // namespace spmdc::run
