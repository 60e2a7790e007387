// The table of element types, and one routine that reads and writes every float format of it.
#include "tensor/dtype.h"

#include <array>
#include <cmath>

#include "llvm/ADT/bit.h"
#include "support/check.h"

namespace spmdc::tensor {
namespace {

// What the bit patterns at the top of a float format mean.
enum class Specials : uint8_t {
  None,      // not a float, or no special values at all: overflow gives the largest value
  Ieee,      // the top exponent holds infinities and NaNs
  AllOnes,   // no infinities; all bits but the sign set is NaN ("fn")
  NegZero,   // no infinities, no negative zero: its pattern is the only NaN ("fnuz")
  Exponent,  // no sign, no zero, no mantissa: a power of two, all bits set is NaN ("e8m0")
};

struct Info {
  DType dtype;
  DClass dclass;
  int bits;
  llvm::StringLiteral hlo, stablehlo, numpy;
  // Floats of at most 32 bits: sizes of the fields and what an exponent field of 0 stands for (1 - bias).
  int mantissa = 0;
  int bias = 0;
  Specials specials = Specials::None;
};

constexpr Info kInfo[] = {
    {DType::Pred, DClass::Pred, 1, "pred", "i1", "bool"},
    {DType::S2, DClass::Signed, 2, "s2", "i2", "int2"},
    {DType::S4, DClass::Signed, 4, "s4", "i4", "int4"},
    {DType::S8, DClass::Signed, 8, "s8", "i8", "int8"},
    {DType::S16, DClass::Signed, 16, "s16", "i16", "int16"},
    {DType::S32, DClass::Signed, 32, "s32", "i32", "int32"},
    {DType::S64, DClass::Signed, 64, "s64", "i64", "int64"},
    {DType::U2, DClass::Unsigned, 2, "u2", "ui2", "uint2"},
    {DType::U4, DClass::Unsigned, 4, "u4", "ui4", "uint4"},
    {DType::U8, DClass::Unsigned, 8, "u8", "ui8", "uint8"},
    {DType::U16, DClass::Unsigned, 16, "u16", "ui16", "uint16"},
    {DType::U32, DClass::Unsigned, 32, "u32", "ui32", "uint32"},
    {DType::U64, DClass::Unsigned, 64, "u64", "ui64", "uint64"},
    {DType::F4E2M1FN, DClass::Float, 4, "f4e2m1fn", "f4E2M1FN", "float4_e2m1fn", 1, 1, Specials::None},
    {DType::F8E3M4, DClass::Float, 8, "f8e3m4", "f8E3M4", "float8_e3m4", 4, 3, Specials::Ieee},
    {DType::F8E4M3, DClass::Float, 8, "f8e4m3", "f8E4M3", "float8_e4m3", 3, 7, Specials::Ieee},
    {DType::F8E4M3B11FNUZ, DClass::Float, 8, "f8e4m3b11fnuz", "f8E4M3B11FNUZ", "float8_e4m3b11fnuz", 3, 11,
     Specials::NegZero},
    {DType::F8E4M3FN, DClass::Float, 8, "f8e4m3fn", "f8E4M3FN", "float8_e4m3fn", 3, 7, Specials::AllOnes},
    {DType::F8E4M3FNUZ, DClass::Float, 8, "f8e4m3fnuz", "f8E4M3FNUZ", "float8_e4m3fnuz", 3, 8, Specials::NegZero},
    {DType::F8E5M2, DClass::Float, 8, "f8e5m2", "f8E5M2", "float8_e5m2", 2, 15, Specials::Ieee},
    {DType::F8E5M2FNUZ, DClass::Float, 8, "f8e5m2fnuz", "f8E5M2FNUZ", "float8_e5m2fnuz", 2, 16, Specials::NegZero},
    {DType::F8E8M0FNU, DClass::Float, 8, "f8e8m0fnu", "f8E8M0FNU", "float8_e8m0fnu", 0, 127, Specials::Exponent},
    {DType::F16, DClass::Float, 16, "f16", "f16", "float16", 10, 15, Specials::Ieee},
    {DType::BF16, DClass::Float, 16, "bf16", "bf16", "bfloat16", 7, 127, Specials::Ieee},
    {DType::F32, DClass::Float, 32, "f32", "f32", "float32", 23, 127, Specials::Ieee},
    {DType::F64, DClass::Float, 64, "f64", "f64", "float64", 52, 1023, Specials::Ieee},
    {DType::C64, DClass::Complex, 64, "c64", "complex<f32>", "complex64"},
    {DType::C128, DClass::Complex, 128, "c128", "complex<f64>", "complex128"},
    {DType::Token, DClass::Other, 0, "token", "!stablehlo.token", "token"},
    {DType::Opaque, DClass::Other, 0, "opaque", "opaque", "opaque"},
    {DType::KeyThreefry, DClass::Other, 64, "key<fry>", "", "key<fry>"},
    {DType::KeyRbg, DClass::Other, 128, "key<rbg>", "", "key<rbg>"},
    {DType::KeyUnsafeRbg, DClass::Other, 128, "key<urbg>", "", "key<urbg>"},
};

constexpr size_t kNumRows = sizeof(kInfo) / sizeof(kInfo[0]);
// Keys are the last rows.
constexpr size_t kNumDTypes = static_cast<size_t>(DType::Opaque) + 1;

constexpr bool InOrder() {
  for (size_t i = 0; i < kNumRows; ++i) {
    if (static_cast<size_t>(kInfo[i].dtype) != i) {
      return false;
    }
  }
  return kNumRows == static_cast<size_t>(DType::KeyUnsafeRbg) + 1;
}
static_assert(InOrder(), "kInfo has one row for each DType, in order");

const Info& InfoOf(DType dtype) { return kInfo[static_cast<size_t>(dtype)]; }

constexpr int kDoubleMantissa = 52;
constexpr int kDoubleBias = 1023;
constexpr uint64_t kDoubleFraction = (uint64_t{1} << kDoubleMantissa) - 1;

uint64_t SignBit(const Info& f) { return uint64_t{1} << (f.bits - 1); }

// The pattern of a NaN. Where the only NaN has no sign, it is that one; f4e2m1fn has none and takes a zero.
uint64_t NanBits(const Info& f, bool negative) {
  uint64_t sign = negative ? SignBit(f) : 0;
  switch (f.specials) {
    case Specials::Ieee: {
      uint64_t exponent = (SignBit(f) - 1) >> f.mantissa << f.mantissa;
      return sign | exponent | uint64_t{1} << (f.mantissa - 1);
    }
    case Specials::AllOnes:
      return sign | (SignBit(f) - 1);
    case Specials::NegZero:
      return SignBit(f);
    case Specials::Exponent:
      return (uint64_t{1} << f.bits) - 1;
    case Specials::None:
      return negative ? 0 : SignBit(f);
  }
  return 0;
}

// The largest finite magnitude's pattern.
uint64_t MaxBits(const Info& f) {
  switch (f.specials) {
    case Specials::Ieee:
      return ((SignBit(f) - 1) >> f.mantissa << f.mantissa) - 1;
    case Specials::AllOnes:
      return SignBit(f) - 2;
    case Specials::NegZero:
    case Specials::None:
      return SignBit(f) - 1;
    case Specials::Exponent:
      return (uint64_t{1} << f.bits) - 2;
  }
  return 0;
}

uint64_t OverflowBits(const Info& f, bool negative) {
  uint64_t sign = negative ? SignBit(f) : 0;
  switch (f.specials) {
    case Specials::Ieee:
      return sign | (MaxBits(f) + 1);
    case Specials::None:
      return sign | MaxBits(f);
    default:
      return NanBits(f, negative);
  }
}

// A power of two: exponent field only, ties away from zero, underflow to the smallest; zero and negatives are NaN.
uint64_t EncodeExponent(const Info& f, double value) {
  if (!(value > 0) || std::isinf(value)) {
    return NanBits(f, false);
  }
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  int64_t field = exponent - 1 + f.bias + (fraction >= 0.75 ? 1 : 0);
  if (field > static_cast<int64_t>(MaxBits(f))) {
    return NanBits(f, false);
  }
  return static_cast<uint64_t>(field < 0 ? 0 : field);
}

}  // namespace

llvm::StringRef HloName(DType dtype) { return InfoOf(dtype).hlo; }
llvm::StringRef StablehloName(DType dtype) { return InfoOf(dtype).stablehlo; }
llvm::StringRef NumpyName(DType dtype) { return InfoOf(dtype).numpy; }
int BitWidth(DType dtype) { return InfoOf(dtype).bits; }
DClass Class(DType dtype) { return InfoOf(dtype).dclass; }
int64_t ByteWidth(DType dtype) { return (InfoOf(dtype).bits + 7) / 8; }

std::optional<DType> FromHloName(llvm::StringRef name) {
  // Most words that are asked about are no names of types, and their first character tells.
  static const std::array<bool, 256> kStarts = [] {
    std::array<bool, 256> starts{};
    for (DType dtype : AllDTypes()) {
      starts[static_cast<unsigned char>(InfoOf(dtype).hlo[0])] = true;
    }
    return starts;
  }();
  if (name.empty() || !kStarts[static_cast<unsigned char>(name[0])]) {
    return std::nullopt;
  }
  for (DType dtype : AllDTypes()) {
    if (InfoOf(dtype).hlo == name) {
      return dtype;
    }
  }
  return std::nullopt;
}

std::optional<DType> FromStablehloName(llvm::StringRef name) {
  for (DType dtype : AllDTypes()) {
    if (InfoOf(dtype).stablehlo == name) {
      return dtype;
    }
  }
  return std::nullopt;
}

llvm::ArrayRef<DType> AllDTypes() {
  static constexpr auto kAll = [] {
    std::array<DType, kNumDTypes> all{};
    for (size_t i = 0; i < kNumDTypes; ++i) {
      all[i] = kInfo[i].dtype;
    }
    return all;
  }();
  return kAll;
}

llvm::ArrayRef<DType> KeyDTypes() {
  static constexpr DType kKeys[] = {DType::KeyThreefry, DType::KeyRbg, DType::KeyUnsafeRbg};
  return kKeys;
}

DType RealPart(DType dtype) {
  if (dtype == DType::C64) {
    return DType::F32;
  }
  return dtype == DType::C128 ? DType::F64 : dtype;
}

DType Wider(DType dtype) {
  if (IsFloat(dtype)) {
    return DType::F64;
  }
  return IsComplex(dtype) ? DType::C128 : dtype;
}

double Epsilon(DType dtype) {
  DType real = RealPart(dtype);
  return IsFloat(real) ? std::ldexp(1.0, -InfoOf(real).mantissa - 1) : 0.0;
}

double DecodeFloat(DType dtype, uint64_t bits) {
  const Info& f = InfoOf(dtype);
  SPMDC_CHECK(f.dclass == DClass::Float, "DecodeFloat of a type that is no float");
  if (dtype == DType::F64) {
    return llvm::bit_cast<double>(bits);
  }
  if (f.specials == Specials::Exponent) {
    bits &= 0xFF;
    return bits == 0xFF ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - f.bias);
  }
  bool negative = (bits & SignBit(f)) != 0;
  uint64_t magnitude = bits & (SignBit(f) - 1);
  double sign = negative ? -1.0 : 1.0;
  if (magnitude > MaxBits(f) || (f.specials == Specials::NegZero && negative && magnitude == 0)) {
    bool infinite = f.specials == Specials::Ieee && magnitude == MaxBits(f) + 1;
    return std::copysign(infinite ? HUGE_VAL : std::nan(""), sign);
  }
  uint64_t fraction = magnitude & ((uint64_t{1} << f.mantissa) - 1);
  uint64_t exponent = magnitude >> f.mantissa;
  if (exponent == 0) {
    return sign * std::ldexp(static_cast<double>(fraction), 1 - f.bias - f.mantissa);
  }
  uint64_t wide = (exponent + static_cast<uint64_t>(kDoubleBias - f.bias)) << kDoubleMantissa |
                  fraction << (kDoubleMantissa - f.mantissa);
  return sign * llvm::bit_cast<double>(wide);
}

uint64_t EncodeFloat(DType dtype, double value) {
  const Info& f = InfoOf(dtype);
  SPMDC_CHECK(f.dclass == DClass::Float, "EncodeFloat to a type that is no float");
  uint64_t wide = llvm::bit_cast<uint64_t>(value);
  if (dtype == DType::F64) {
    return wide;
  }
  bool negative = std::signbit(value);
  if (std::isnan(value)) {
    return NanBits(f, negative);
  }
  if (f.specials == Specials::Exponent) {
    return EncodeExponent(f, value);
  }
  if (std::isinf(value)) {
    return OverflowBits(f, negative);
  }
  uint64_t sign = negative ? SignBit(f) : 0;
  uint64_t magnitude = 0;
  int exponent = static_cast<int>(wide >> kDoubleMantissa & 0x7FF);
  if (exponent != 0) {  // doubles without a leading one are far below every format here
    // The exponent field of the result; below 1 the result has none and its last bit weighs 2^(1 - bias - mantissa).
    int field = exponent - kDoubleBias + f.bias;
    uint64_t significand = uint64_t{1} << kDoubleMantissa | (wide & kDoubleFraction);
    int shift = kDoubleMantissa - f.mantissa + (field < 1 ? 1 - field : 0);
    if (shift <= kDoubleMantissa + 1) {
      // To nearest, ties to even. A carry out of the mantissa moves into the exponent field by itself.
      uint64_t odd = shift <= kDoubleMantissa ? significand >> shift & 1 : 0;
      uint64_t rounded = (significand + (uint64_t{1} << (shift - 1)) - 1 + odd) >> shift;
      magnitude = field < 1 ? rounded : (static_cast<uint64_t>(field - 1) << f.mantissa) + rounded;
    }
  }
  if (magnitude > MaxBits(f)) {
    return OverflowBits(f, negative);
  }
  return magnitude == 0 && f.specials == Specials::NegZero ? 0 : sign | magnitude;
}

}  // namespace spmdc::tensor
