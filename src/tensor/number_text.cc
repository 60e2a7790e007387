// Decimal digits to bits.
#include "tensor/number_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "support/starts_with.h"

namespace spmdc::tensor {
namespace {

// The nearest number; infinite or zero beyond the range.
template <typename Float>
std::optional<Float> Nearest(llvm::StringRef word) {
  Float value = 0;
  auto [end, error] = std::from_chars(word.begin(), word.end(), value);
  if (end != word.end() || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {
    return static_cast<Float>(std::strtod(word.str().c_str(), nullptr));
  }
  return value;
}

bool IsFinite(DType type, uint64_t bits) {
  return std::isfinite(type == DType::F64 ? std::bit_cast<double>(bits) : DecodeFloat(type, bits));
}

}  // namespace

std::optional<uint64_t> IntegerBits(llvm::StringRef word, unsigned radix, DType type) {
  uint64_t magnitude = 0;
  bool negative = word.consume_front("-");
  word.consume_front("+");
  if (word.getAsInteger(radix, magnitude)) {
    return std::nullopt;
  }
  DClass cls = Class(type);
  if (cls == DClass::Pred) {
    return negative && magnitude != 0 ? std::nullopt : std::optional<uint64_t>(magnitude != 0);
  }
  auto width = static_cast<unsigned>(BitWidth(type));
  uint64_t all = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  // Digits in another radix than ten may spell the bits of a negative number.
  bool spells_bits = radix == 0 && (StartsWith(word, "0x") || StartsWith(word, "0X"));
  uint64_t most = cls == DClass::Signed && !spells_bits ? all >> 1 : all;
  uint64_t least = cls == DClass::Signed ? (all >> 1) + 1 : 0;
  if (magnitude > (negative ? least : most)) {
    return std::nullopt;
  }
  return negative ? 0 - magnitude : magnitude;
}

std::optional<uint64_t> FloatBits(llvm::StringRef word, DType type, Overflow overflow) {
  llvm::StringRef digits = word.ltrim("+-");
  bool named = digits == "inf" || digits == "nan";
  if (!named) {
    word.consume_front("+");
  }
  uint64_t bits = 0;
  double value = digits == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  value = named && StartsWith(word, "-") ? -value : value;
  if (type == DType::F32 && !named) {
    std::optional<float> narrow = Nearest<float>(word);
    if (!narrow) {
      return std::nullopt;
    }
    bits = std::bit_cast<uint32_t>(*narrow);
  } else {
    if (!named) {
      std::optional<double> wide = Nearest<double>(word);
      if (!wide) {
        return std::nullopt;
      }
      value = *wide;
    }
    bits = type == DType::F64   ? std::bit_cast<uint64_t>(value)
           : type == DType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                                : EncodeFloat(type, value);
  }
  if (!named && overflow == Overflow::Refused && !IsFinite(type, bits)) {
    return std::nullopt;
  }
  return bits;
}

}  // namespace spmdc::tensor
