// Tests of tolerances and of comparing blocks.
#include "run/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "literals.h"

namespace spmdc::run {
namespace {

using tensor::DType;
using tensor::Literal;

TEST(ToleranceTest, IsTheErrorAgainstWiderFloats) {
  EXPECT_EQ(ToleranceOf(Of(DType::F32, {1, 2}), Of(DType::F64, {1, 2.25})).rounding, 0.25);
}

TEST(ToleranceTest, IsAtLeastOneRoundingOfTheLargest) {
  double eps = tensor::Epsilon(DType::BF16);
  EXPECT_EQ(ToleranceOf(Of(DType::BF16, {1, -16}), Of(DType::F64, {1, -16})).rounding, 16 * eps);
  EXPECT_EQ(ToleranceOf(Of(DType::BF16, {1, -16}), Of(DType::BF16, {1, -16})).rounding, 16 * eps);
}

TEST(ToleranceTest, IntegersHaveNone) { EXPECT_EQ(ToleranceOf(Of(DType::S32, {5}), Of(DType::S32, {5})).rounding, 0); }

TEST(ToleranceTest, OverflowIsSeenAndSaysNothingAboutTheRest) {
  Tolerance tolerance = ToleranceOf(Of(DType::F16, {kInf, 1}), Of(DType::F64, {1e9, 1}));
  EXPECT_TRUE(tolerance.overflowed);
  EXPECT_FALSE(ToleranceOf(Of(DType::F32, {kInf, 1}), Of(DType::F64, {kInf, 1})).overflowed);
}

TEST(CompareTest, WithinAndOutsideOfTheTolerance) {
  Literal whole = Of(DType::F32, {0, 1, 2, 3});
  Literal block = Of(DType::F32, {2.25, 3});
  EXPECT_FALSE(CompareBlock(block, whole, {{2, 4}}, 0.25, false).difference);
  Comparison tight = CompareBlock(block, whole, {{2, 4}}, 0.125, false);
  ASSERT_TRUE(tight.difference);
  EXPECT_EQ(tight.difference->index, (tensor::Dims{2}));
  EXPECT_EQ(tight.difference->got, "2.25");
  EXPECT_EQ(tight.difference->expected, "2");
  EXPECT_EQ(tight.difference->error, 0.25);
  EXPECT_EQ(tight.difference->count, 1);
}

TEST(CompareTest, PaddingIsNotLookedAt) {
  Literal whole = Of(DType::F32, {0, 1, 2});
  EXPECT_TRUE(CompareBlock(Of(DType::F32, {2, kNaN}), whole, {{2, 3}}, 0, false).identical);
}

TEST(CompareTest, NaNMeetsNaNAndInfinityTheSameInfinity) {
  for (DType dtype : {DType::F32, DType::BF16, DType::F16, DType::F64, DType::C64}) {
    auto differs = [&](double got, double expected) {
      return CompareBlock(Of(dtype, {got}), Of(dtype, {expected}), {{0, 1}}, 1, false).difference.has_value();
    };
    EXPECT_FALSE(differs(kNaN, -kNaN));
    EXPECT_FALSE(differs(kInf, kInf));
    EXPECT_TRUE(differs(kInf, -kInf));
    EXPECT_TRUE(differs(kNaN, 1));
    EXPECT_TRUE(differs(1, kNaN));
    EXPECT_TRUE(differs(1, kInf));
  }
}

TEST(CompareTest, IntegersAreExactWhateverIsAllowed) {
  EXPECT_TRUE(CompareBlock(Of(DType::S32, {5}), Of(DType::S32, {6}), {{0, 1}}, 100, false).difference);
  EXPECT_TRUE(CompareBlock(Of(DType::Pred, {0}), Of(DType::Pred, {1}), {{0, 1}}, 100, false).difference);
  EXPECT_FALSE(CompareBlock(Of(DType::S32, {6}), Of(DType::S32, {6}), {{0, 1}}, 0, false).difference);
}

}  // namespace
}  // namespace spmdc::run
