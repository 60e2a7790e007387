// Decoding in loops by element type.
#include "run/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

// Calls visit(range of numbers).
template <typename Visit>
auto VisitNumbers(const Literal& literal, Visit visit) {
  return literal.dtype() == DType::F32 ? visit(literal.data<float>()) : visit(Doubles(Widen(literal)));
}

}  // namespace

bool HasNaN(const Literal& literal) {
  return IsInexact(literal.dtype()) && VisitNumbers(literal, [](auto numbers) {
           bool any = false;
           for (auto number : numbers) {
             any |= number != number;
           }
           return any;
         });
}

bool IsAllNaN(const Literal& literal) {
  return IsInexact(literal.dtype()) && literal.size() > 0 && VisitNumbers(literal, [](auto numbers) {
           return std::all_of(numbers.begin(), numbers.end(), [](auto number) { return std::isnan(number); });
         });
}

double LargestFinite(const Literal& literal) {
  if (!IsInexact(literal.dtype())) {
    return 0;
  }
  return VisitNumbers(literal, [](auto numbers) {
    double largest = 0;
    for (auto number : numbers) {
      double size = std::abs(static_cast<double>(number));
      largest = size > largest && size <= std::numeric_limits<double>::max() ? size : largest;
    }
    return largest;
  });
}

}  // namespace spmdc::run
