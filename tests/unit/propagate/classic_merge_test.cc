// Merging by the number of blocks: what wins, what joins, what nests.
#include "propagate/classic_merge.h"

#include "gtest/gtest.h"

namespace spmdc::propagate {
namespace {

constexpr mesh::AxisRef kX = {0, 1, 2};
constexpr mesh::AxisRef kY = {1, 1, 4};

mesh::Sharding Make(std::initializer_list<mesh::AxisList> dims) {
  mesh::Sharding sharding = mesh::Replicated(mesh::MeshId{0}, dims.size());
  size_t d = 0;
  for (const mesh::AxisList& axes : dims) {
    sharding.dims[d++].axes = axes;
  }
  return sharding;
}

// A mesh x=2, y=4.
class ClassicMergeTest : public testing::Test {
 protected:
  ClassicMerge merge_{8};
};

TEST_F(ClassicMergeTest, DifferentDimsJoinIfTheyShareNoDigit) {
  mesh::Sharding into = Make({{kX}, {}});
  EXPECT_TRUE(merge_.MergeIfCompatible(Make({{}, {kY}}), 2, into));
  EXPECT_EQ(into, Make({{kX}, {kY}}));
  into = Make({{kX}, {}});
  EXPECT_FALSE(merge_.MergeIfCompatible(Make({{}, {kX}}), 2, into));
  EXPECT_FALSE(merge_.MergeIfCompatible(Make({{kY}, {}}), 2, into));
  EXPECT_EQ(into, Make({{kX}, {}}));
}

TEST_F(ClassicMergeTest, MoreBlocksWinWhereNothingJoins) {
  EXPECT_EQ(merge_.Improve(Make({{kY}}), nullptr, {8}, {}), Make({{kY}}));
  mesh::Sharding known = Make({{kX}});
  EXPECT_EQ(merge_.Improve(Make({{kY}}), &known, {8}, {.may_combine = true, .may_reshard = true}), Make({{kY}}));
  known = Make({{kY}});
  EXPECT_EQ(merge_.Improve(Make({{kX}}), &known, {8}, {.may_combine = true, .may_reshard = true}), std::nullopt);
}

TEST_F(ClassicMergeTest, WithoutReshardBlocksMustNest) {
  mesh::Sharding known = Make({{kX}});
  EXPECT_EQ(merge_.Improve(Make({{kY}}), &known, {8}, {.may_combine = true}), std::nullopt);
  EXPECT_EQ(merge_.Improve(Make({{kX, kY}}), &known, {8}, {.may_combine = true}), Make({{kX, kY}}));
}

TEST_F(ClassicMergeTest, UnevenPartsNestIfTheyEndWithTheBlockOrTheDim) {
  // 9 in 2 blocks of 5, in 8 of 2: the fourth part of the first block ends at 8.
  EXPECT_FALSE(NestsIn(Make({{kX, kY}}), Make({{kX}}), {9}));
  EXPECT_TRUE(NestsIn(Make({{kX, kY}}), Make({{kX}}), {16}));
  // 2 in 2 blocks of 1, in 8 of 1: everything lies in the first four.
  EXPECT_TRUE(NestsIn(Make({{kX, kY}}), Make({{kX}}), {2}));
}

TEST_F(ClassicMergeTest, ManualBeatsCopiesOnly) {
  mesh::Sharding manual = Make({{}});
  manual.varying = {kX, kY};
  mesh::Sharding copies = Make({{}}), tiled = Make({{kX}});
  EXPECT_TRUE(merge_.IsManual(manual));
  EXPECT_EQ(merge_.Improve(manual, &copies, {8}, {}), manual);
  EXPECT_EQ(merge_.Improve(manual, &tiled, {8}, {}), std::nullopt);
}

}  // namespace
}  // namespace spmdc::propagate
