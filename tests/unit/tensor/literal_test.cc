// Literals: forms, sharing of bytes, element access and conversions.
#include "tensor/literal.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace spmdc::tensor {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> Ints(const Literal& literal) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < literal.size(); ++i) {
    values.push_back(literal.GetInt(i));
  }
  return values;
}

std::vector<double> Reals(const Literal& literal) {
  std::vector<double> values;
  for (int64_t i = 0; i < literal.size(); ++i) {
    values.push_back(literal.GetReal(i));
  }
  return values;
}

TEST(Dims, CountsAndStrides) {
  EXPECT_EQ(NumElements({}), 1);
  EXPECT_EQ(NumElements({2, 3, 4}), 24);
  EXPECT_EQ(NumElements({2, 0, 4}), 0);
  EXPECT_EQ(NumElements({INT64_MAX, INT64_MAX, 0}), 0);
  EXPECT_EQ(NumElements({INT64_MAX, 4}), INT64_MAX);
  EXPECT_THAT(Strides({2, 3, 4}), ElementsAre(12, 4, 1));
  EXPECT_THAT(Strides({}), ElementsAre());
}

TEST(Dims, NextIndexCountsRowMajor) {
  Dims index = {0, 0};
  std::vector<int64_t> seen;
  do {
    seen.push_back(index[0] * 10 + index[1]);
  } while (NextIndex(index, {2, 3}));
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 10, 11, 12));
  EXPECT_THAT(index, ElementsAre(0, 0));
  EXPECT_FALSE(NextIndex({}, {}));
}

TEST(Literal, DefaultAndZero) {
  EXPECT_TRUE(Literal().empty());
  EXPECT_TRUE(Literal().is_unknown());
  Literal zero(DType::S16, {2, 2});
  EXPECT_FALSE(zero.empty());
  EXPECT_THAT(Ints(zero), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(Literal(DType::F32, {3, 0}).size(), 0);
}

TEST(Literal, WritingLeavesCopiesAlone) {
  Literal a = Literal::Integers(DType::S32, {3}, {1, 2, 3});
  Literal b = a;
  b.SetInt(1, 7);
  EXPECT_THAT(Ints(a), ElementsAre(1, 2, 3));
  EXPECT_THAT(Ints(b), ElementsAre(1, 7, 3));
  b.mutable_data<int32_t>()[0] = 9;
  EXPECT_THAT(b.data<int32_t>(), ElementsAre(9, 7, 3));
}

TEST(Literal, SplatStoresOneElementUntilWritten) {
  Literal splat = Literal::Number(DType::F32, {1000, 1000}, 1.5);
  EXPECT_EQ(splat.raw().size(), 4u);
  EXPECT_EQ(splat.GetReal(999999), 1.5);
  Literal small = splat.ConvertTo(DType::BF16);
  EXPECT_TRUE(small.is_splat());
  EXPECT_EQ(small.GetReal(123), 1.5);
  Literal dense = Literal::Number(DType::F32, {2, 2}, 1.5);
  dense.SetReal(3, 2);
  EXPECT_FALSE(dense.is_splat());
  EXPECT_THAT(Reals(dense), ElementsAre(1.5, 1.5, 1.5, 2));
}

TEST(Literal, Equality) {
  Literal splat = Literal::Integer(DType::S8, {2, 2}, 3);
  Literal dense = Literal::Integers(DType::S8, {2, 2}, {3, 3, 3, 3});
  EXPECT_TRUE(splat == dense);
  EXPECT_TRUE(dense == splat.Materialize());
  EXPECT_FALSE(splat == dense.WithDims({4}));
  EXPECT_FALSE(splat == Literal::Integers(DType::S8, {2, 2}, {3, 3, 3, 4}));
  EXPECT_FALSE(splat == Literal::Integer(DType::U8, {2, 2}, 3));
  EXPECT_FALSE(splat == Literal::Unknown(DType::S8, {2, 2}));
  EXPECT_TRUE(Literal::Unknown(DType::S8, {2, 2}) == Literal::Unknown(DType::S8, {2, 2}));
  // Bits, not numbers: NaN equals itself, and the zeros differ.
  EXPECT_TRUE(Literal::Number(DType::F32, {}, std::nan("")) == Literal::Number(DType::F32, {}, std::nan("")));
  EXPECT_FALSE(Literal::Number(DType::F32, {}, 0.0) == Literal::Number(DType::F32, {}, -0.0));
}

TEST(Literal, NarrowIntegersWrapAndKeepTheirSign) {
  EXPECT_THAT(Ints(Literal::Integers(DType::S4, {4}, {7, 8, -8, -9})), ElementsAre(7, -8, -8, 7));
  EXPECT_THAT(Ints(Literal::Integers(DType::U4, {3}, {15, 16, -1})), ElementsAre(15, 0, 15));
  EXPECT_THAT(Ints(Literal::Integers(DType::S2, {3}, {1, 2, 3})), ElementsAre(1, -2, -1));
  EXPECT_THAT(Ints(Literal::Integers(DType::Pred, {3}, {0, 1, -5})), ElementsAre(0, 1, 1));
}

TEST(Literal, FloatsToIntegersTruncateAndSaturate) {
  Literal f = Literal::Numbers(DType::F64, {7}, {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.5, 2.5, 300, -300});
  EXPECT_THAT(Ints(f.ConvertTo(DType::S8)), ElementsAre(0, 127, -128, -1, 2, 127, -128));
  EXPECT_THAT(Ints(f.ConvertTo(DType::U8)), ElementsAre(0, 255, 0, 0, 2, 255, 0));
  EXPECT_THAT(Ints(f.ConvertTo(DType::S4)), ElementsAre(0, 7, -8, -1, 2, 7, -8));
  EXPECT_THAT(Ints(f.ConvertTo(DType::S64)), ElementsAre(0, INT64_MAX, INT64_MIN, -1, 2, 300, -300));
  EXPECT_THAT(Ints(f.ConvertTo(DType::U64)), ElementsAre(0, -1, 0, 0, 2, 300, 0));
  EXPECT_THAT(Ints(f.ConvertTo(DType::Pred)), ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

TEST(Literal, IntegersToFloatsRoundOnce) {
  Literal i = Literal::Integers(DType::S64, {3}, {(int64_t{1} << 60) + (int64_t{1} << 36) + 1, -7, 65520});
  EXPECT_THAT(Reals(i.ConvertTo(DType::F32)), ElementsAre(std::ldexp(1, 60) + std::ldexp(1, 37), -7, 65520));
  EXPECT_THAT(Reals(i.ConvertTo(DType::F16)), ElementsAre(HUGE_VAL, -7, HUGE_VAL));
  Literal u = Literal::Integers(DType::U64, {1}, {-1});
  EXPECT_THAT(Reals(u.ConvertTo(DType::F32)), ElementsAre(std::ldexp(1, 64)));
  EXPECT_THAT(Reals(u), ElementsAre(std::ldexp(1, 64)));
  EXPECT_THAT(Ints(u.ConvertTo(DType::S32)), ElementsAre(-1));
}

TEST(Literal, Complex) {
  Literal c(DType::C64, {2});
  c.SetComplex(0, {1, -2});
  c.SetComplex(1, {0.1, 3});
  EXPECT_EQ(c.GetComplex(0), std::complex<double>(1, -2));
  EXPECT_EQ(c.GetComplex(1).real(), static_cast<double>(0.1F));
  EXPECT_EQ(c.ConvertTo(DType::F64).GetReal(0), 1.0);
  EXPECT_EQ(c.ConvertTo(DType::C128).GetComplex(1).imag(), 3.0);
  EXPECT_EQ(Literal::Integer(DType::C64, {}, 4).GetComplex(0), std::complex<double>(4, 0));
}

TEST(Literal, NarrowFloatsKeepTheirBits) {
  Literal f = Literal::Numbers(DType::F8E4M3FN, {2}, {1.0, 500.0});
  EXPECT_THAT(f.data<uint8_t>(), ElementsAre(0x38, 0x7F));
  EXPECT_EQ(f.ConvertTo(DType::F32).GetReal(0), 1.0);
  EXPECT_TRUE(std::isnan(f.GetReal(1)));
}

TEST(Literal, UnknownHasNoElements) {
  Literal unknown = Literal::Unknown(DType::F32, {4});
  EXPECT_TRUE(unknown.ConvertTo(DType::S8).is_unknown());
  EXPECT_EQ(unknown.ConvertTo(DType::S8).dtype(), DType::S8);
  EXPECT_EXIT(unknown.GetReal(0), ::testing::ExitedWithCode(70), "unknown literal");
  EXPECT_EXIT(Literal(DType::F32, {2}).GetReal(2), ::testing::ExitedWithCode(70), "outside its literal");
}

}  // namespace
}  // namespace spmdc::tensor
