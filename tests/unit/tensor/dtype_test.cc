// Element types: names, widths, and the float formats against brute force over all their codes.
#include "tensor/dtype.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace spmdc::tensor {
namespace {

std::vector<DType> SmallFloats() {
  std::vector<DType> types;
  for (DType t : AllDTypes()) {
    if (IsFloat(t) && BitWidth(t) <= 16) {
      types.push_back(t);
    }
  }
  return types;
}

TEST(DType, NamesReadBack) {
  EXPECT_EQ(AllDTypes().size(), 30u);
  for (DType t : AllDTypes()) {
    EXPECT_EQ(FromHloName(HloName(t)), t);
    EXPECT_EQ(FromStablehloName(StablehloName(t)), t);
    EXPECT_FALSE(NumpyName(t).empty());
  }
  EXPECT_EQ(FromHloName("f33"), std::nullopt);
  EXPECT_EQ(FromStablehloName("pred"), std::nullopt);
  EXPECT_EQ(StablehloName(DType::U8), "ui8");
  EXPECT_EQ(NumpyName(DType::Pred), "bool");
}

// Keys are types to show: no text of a program has values of them.
TEST(DType, KeysAreNamedButNotRead) {
  EXPECT_EQ(HloName(DType::KeyThreefry), "key<fry>");
  EXPECT_EQ(NumpyName(DType::KeyUnsafeRbg), "key<urbg>");
  for (DType t : KeyDTypes()) {
    EXPECT_TRUE(IsKey(t));
    EXPECT_EQ(FromHloName(HloName(t)), std::nullopt);
    EXPECT_FALSE(llvm::is_contained(AllDTypes(), t));
  }
  EXPECT_EQ(FromStablehloName(""), std::nullopt);
  EXPECT_EQ(ByteWidth(DType::KeyThreefry), 8);
  EXPECT_EQ(ByteWidth(DType::KeyRbg), 16);
}

TEST(DType, WidthsAndClasses) {
  EXPECT_EQ(ByteWidth(DType::Pred), 1);
  EXPECT_EQ(ByteWidth(DType::S4), 1);
  EXPECT_EQ(ByteWidth(DType::BF16), 2);
  EXPECT_EQ(ByteWidth(DType::C128), 16);
  EXPECT_EQ(ByteWidth(DType::Token), 0);
  EXPECT_EQ(BitWidth(DType::F4E2M1FN), 4);
  EXPECT_EQ(RealPart(DType::C64), DType::F32);
  EXPECT_EQ(RealPart(DType::S8), DType::S8);
  EXPECT_EQ(Wider(DType::BF16), DType::F64);
  EXPECT_EQ(Wider(DType::C64), DType::C128);
  EXPECT_EQ(Wider(DType::S32), DType::S32);
}

TEST(DType, EpsilonIsHalfTheDistanceFromOne) {
  for (DType t : SmallFloats()) {
    double next = DecodeFloat(t, EncodeFloat(t, 1.0) + 1);
    EXPECT_EQ(Epsilon(t), (next - 1.0) / 2) << HloName(t).str();
  }
  EXPECT_EQ(Epsilon(DType::F32), std::ldexp(1.0, -24));
  EXPECT_EQ(Epsilon(DType::C64), Epsilon(DType::F32));
  EXPECT_EQ(Epsilon(DType::F64), std::ldexp(1.0, -53));
  EXPECT_EQ(Epsilon(DType::S32), 0.0);
}

TEST(DType, EveryCodeReadsBackAsItself) {
  for (DType t : SmallFloats()) {
    for (uint64_t code = 0; code < uint64_t{1} << BitWidth(t); ++code) {
      double value = DecodeFloat(t, code);
      if (!std::isnan(value)) {
        EXPECT_EQ(EncodeFloat(t, value), code) << HloName(t).str() << " " << value;
      } else {
        EXPECT_TRUE(std::isnan(DecodeFloat(t, EncodeFloat(t, value)))) << HloName(t).str() << " " << code;
      }
    }
  }
}

// The nearest finite code by search; of two equally near ones the even one, or for powers of two the greater.
uint64_t NearestCode(DType t, double value) {
  uint64_t best = 0;
  double best_distance = HUGE_VAL;
  for (uint64_t code = 0; code < uint64_t{1} << BitWidth(t); ++code) {
    double candidate = DecodeFloat(t, code);
    if (!std::isfinite(candidate) || std::signbit(candidate) != std::signbit(value)) {
      continue;
    }
    double distance = std::fabs(candidate - value);
    bool wins_tie = t == DType::F8E8M0FNU || (code & 1) == 0;
    if (distance < best_distance || (distance == best_distance && wins_tie)) {
      best = code;
      best_distance = distance;
    }
  }
  return best;
}

TEST(DType, RoundsToTheNearest) {
  std::mt19937_64 random(1);
  for (DType t : SmallFloats()) {
    if (BitWidth(t) > 8) {
      continue;
    }
    double largest = 0;
    double smallest = HUGE_VAL;
    for (uint64_t code = 0; code < uint64_t{1} << BitWidth(t); ++code) {
      double value = std::fabs(DecodeFloat(t, code));
      if (std::isfinite(value) && value > 0) {
        largest = std::max(largest, value);
        smallest = std::min(smallest, value);
      }
    }
    std::uniform_real_distribution<double> exponent(std::log2(smallest) - 0.9, std::log2(largest));
    for (int i = 0; i < 2000; ++i) {
      double value = std::exp2(exponent(random));
      if (t != DType::F8E8M0FNU && i % 2 == 1) {
        value = -value;
      }
      uint64_t code = EncodeFloat(t, value);
      uint64_t nearest = NearestCode(t, value);
      EXPECT_EQ(DecodeFloat(t, code), DecodeFloat(t, nearest)) << HloName(t).str() << " " << value;
    }
  }
}

TEST(DType, TiesGoToEven) {
  EXPECT_EQ(EncodeFloat(DType::F8E4M3FN, 17.0), EncodeFloat(DType::F8E4M3FN, 16.0));
  EXPECT_EQ(EncodeFloat(DType::F8E4M3FN, 19.0), EncodeFloat(DType::F8E4M3FN, 20.0));
  EXPECT_EQ(EncodeFloat(DType::BF16, 257.0), EncodeFloat(DType::BF16, 256.0));
  EXPECT_EQ(EncodeFloat(DType::F16, 2051.0), EncodeFloat(DType::F16, 2052.0));
  // Just above a tie by less than a float's precision: no rounding through f32 on the way.
  EXPECT_EQ(DecodeFloat(DType::F16, EncodeFloat(DType::F16, 1 + std::ldexp(1, -11) + std::ldexp(1, -40))),
            1 + std::ldexp(1, -10));
  // Subnormals: half of the smallest rounds to zero, anything above to the smallest.
  EXPECT_EQ(EncodeFloat(DType::F16, std::ldexp(1, -25)), 0u);
  EXPECT_EQ(EncodeFloat(DType::F16, std::ldexp(1.01, -25)), 1u);
}

// Codes as ml_dtypes gives them.
TEST(DType, Overflow) {
  struct Row {
    DType dtype;
    double largest;
    uint64_t above, infinity, nan, minus_infinity;
  };
  const Row rows[] = {
      {DType::F4E2M1FN, 6, 0x7, 0x7, 0x8, 0xF},
      {DType::F8E3M4, 15.5, 0x70, 0x70, 0x78, 0xF0},
      {DType::F8E4M3, 240, 0x78, 0x78, 0x7C, 0xF8},
      {DType::F8E4M3B11FNUZ, 30, 0x80, 0x80, 0x80, 0x80},
      {DType::F8E4M3FN, 448, 0x7F, 0x7F, 0x7F, 0xFF},
      {DType::F8E4M3FNUZ, 240, 0x80, 0x80, 0x80, 0x80},
      {DType::F8E5M2, 57344, 0x7C, 0x7C, 0x7E, 0xFC},
      {DType::F8E5M2FNUZ, 57344, 0x80, 0x80, 0x80, 0x80},
      {DType::F8E8M0FNU, std::ldexp(1, 127), 0xFF, 0xFF, 0xFF, 0xFF},
      {DType::F16, 65504, 0x7C00, 0x7C00, 0x7E00, 0xFC00},
      {DType::BF16, std::ldexp(255, 120), 0x7F80, 0x7F80, 0x7FC0, 0xFF80},
      {DType::F32, std::ldexp(16777215, 104), 0x7F800000, 0x7F800000, 0x7FC00000, 0xFF800000},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(HloName(row.dtype).str());
    EXPECT_EQ(DecodeFloat(row.dtype, EncodeFloat(row.dtype, row.largest)), row.largest);
    EXPECT_EQ(EncodeFloat(row.dtype, row.largest * 1.5), row.above);
    EXPECT_EQ(EncodeFloat(row.dtype, HUGE_VAL), row.infinity);
    EXPECT_EQ(EncodeFloat(row.dtype, -HUGE_VAL), row.minus_infinity);
    EXPECT_EQ(EncodeFloat(row.dtype, std::nan("")), row.nan);
  }
}

TEST(DType, Zeros) {
  EXPECT_EQ(EncodeFloat(DType::BF16, -0.0), 0x8000u);
  EXPECT_EQ(EncodeFloat(DType::F8E4M3FNUZ, -0.0), 0u);
  EXPECT_EQ(EncodeFloat(DType::F8E4M3FNUZ, -1e-9), 0u);
  EXPECT_EQ(EncodeFloat(DType::F8E8M0FNU, 0.0), 0xFFu);
  EXPECT_EQ(EncodeFloat(DType::F8E8M0FNU, 1e-300), 0u);
}

TEST(DType, SingleAndDoubleMatchTheMachine) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    uint64_t bits = random();
    double value = llvm::bit_cast<double>(bits);
    if (i % 2 == 0) {  // in the range of f32 and its subnormals
      value = std::ldexp(1 + std::fabs(std::remainder(value, 1.0)), static_cast<int>(bits % 280) - 150);
    }
    if (std::isnan(value)) {
      continue;
    }
    EXPECT_EQ(EncodeFloat(DType::F32, value), llvm::bit_cast<uint32_t>(static_cast<float>(value)));
    EXPECT_EQ(EncodeFloat(DType::F64, value), llvm::bit_cast<uint64_t>(value));
    auto single = static_cast<uint32_t>(bits);
    auto number = llvm::bit_cast<float>(single);
    if (!std::isnan(number)) {
      EXPECT_EQ(DecodeFloat(DType::F32, single), static_cast<double>(number));
    }
  }
}

}  // namespace
}  // namespace spmdc::tensor
