// Decoding in loops by element type.
#include "run/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "ops/typed.h"

namespace spmdc::run {

using tensor::DType;
using tensor::Literal;

Literal Widen(const Literal& literal) {
  DType wide = tensor::Wider(literal.dtype());
  // In two exact steps, each with a loop of its own for the common types.
  return tensor::IsFloat(literal.dtype()) ? ops::ConvertLiteral(ops::ToCompute(literal), wide)
                                          : ops::ConvertLiteral(literal, wide);
}

llvm::ArrayRef<double> Doubles(const Literal& wide) {
  SPMDC_CHECK(wide.dtype() == DType::F64 || wide.dtype() == DType::C128, "doubles of another type");
  return wide.data<double>();
}

void DecodeRow(const Literal& literal, int64_t begin, int64_t count, llvm::SmallVectorImpl<double>& numbers) {
  numbers.resize(static_cast<size_t>(count));
  auto first = static_cast<size_t>(begin);
  if (literal.dtype() == DType::F32) {
    llvm::ArrayRef<float> row = literal.data<float>().slice(first, numbers.size());
    std::copy(row.begin(), row.end(), numbers.begin());
  } else if (literal.dtype() == DType::BF16) {
    llvm::ArrayRef<uint16_t> row = literal.data<uint16_t>().slice(first, numbers.size());
    std::transform(row.begin(), row.end(), numbers.begin(), [](uint16_t bits) {
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16));
    });
  } else {
    for (size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = literal.GetReal(begin + static_cast<int64_t>(i));
    }
  }
}

namespace {

// Whether the bits of any number are above those of infinity, which are NaN's: a loop of vector instructions for any float.
template <typename T>
bool AnyAbove(llvm::ArrayRef<T> numbers, T infinity) {
  constexpr T kSign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  T any = 0;
  for (T bits : numbers) {
    any |= static_cast<T>((bits & static_cast<T>(~kSign)) > infinity);
  }
  return any != 0;
}

// The bits of the number farthest from zero below infinity, without its sign: the greatest, as floats are ordered like their
// bits.
template <typename T>
T LargestBelow(llvm::ArrayRef<T> numbers, T infinity) {
  constexpr T kSize = std::numeric_limits<T>::max();  // signed: there are more vector instructions for them
  T largest = 0;
  for (T bits : numbers) {
    T size = static_cast<T>(bits & kSize);
    size = size < infinity ? size : T{0};
    largest = size > largest ? size : largest;
  }
  return largest;
}

}  // namespace

bool VisitNumbers(const Literal& literal, llvm::function_ref<bool(llvm::ArrayRef<double>)> visit) {
  if (!tensor::IsFloat(literal.dtype())) {
    return visit(Doubles(Widen(literal)));
  }
  constexpr int64_t kAtOnce = 1024;
  llvm::SmallVector<double, 0> numbers;
  for (int64_t begin = 0, n = literal.size(); begin < n; begin += kAtOnce) {
    DecodeRow(literal, begin, std::min(kAtOnce, n - begin), numbers);
    if (!visit(numbers)) {
      return false;
    }
  }
  return true;
}

bool HasNaN(const Literal& literal) {
  switch (literal.dtype()) {
    case DType::F32:
      return AnyAbove<uint32_t>(literal.data<uint32_t>(), 0x7f800000);
    case DType::BF16:
      return AnyAbove<uint16_t>(literal.data<uint16_t>(), 0x7f80);
    default:
      return IsInexact(literal.dtype()) && !VisitNumbers(literal, [](llvm::ArrayRef<double> numbers) {
               return llvm::none_of(numbers, [](double number) { return std::isnan(number); });
             });
  }
}

bool IsAllNaN(const Literal& literal) {
  return IsInexact(literal.dtype()) && literal.size() > 0 && VisitNumbers(literal, [](llvm::ArrayRef<double> numbers) {
           return llvm::all_of(numbers, [](double number) { return std::isnan(number); });
         });
}

double LargestFinite(const Literal& literal) {
  if (literal.dtype() == DType::F32) {
    return std::bit_cast<float>(LargestBelow<int32_t>(literal.data<int32_t>(), 0x7f800000));
  }
  if (literal.dtype() == DType::BF16) {
    auto bits = static_cast<uint32_t>(LargestBelow<int16_t>(literal.data<int16_t>(), 0x7f80));
    return std::bit_cast<float>(bits << 16);
  }
  double largest = 0;
  if (IsInexact(literal.dtype())) {
    VisitNumbers(literal, [&](llvm::ArrayRef<double> numbers) {
      for (double number : numbers) {
        double size = std::abs(number);
        largest = size > largest && size <= std::numeric_limits<double>::max() ? size : largest;
      }
      return true;
    });
  }
  return largest;
}

}  // namespace spmdc::run
