// Tests of blocks: cutting, placing, poison.
#include "run/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "maker.h"

namespace spmdc::run {
namespace {

Literal Counting(DType dtype, Dims dims) {
  std::vector<int64_t> values(static_cast<size_t>(tensor::NumElements(dims)));
  std::iota(values.begin(), values.end(), 0);
  return Literal::Integers(dtype, dims, values);
}

struct BlocksTest : testing::Test {
  BlocksTest() {
    mesh::Mesh mesh;
    mesh.axes = {{"x", 2, mesh::AxisType::Auto}, {"y", 3, mesh::AxisType::Auto}};
    id = tables.meshes.Intern(mesh);
  }
  const mesh::Mesh& mesh() { return tables.meshes[id]; }
  const mesh::Sharding& sharding(std::vector<std::vector<int32_t>> dims) {
    return tables.shardings[Sharded(tables, id, std::move(dims))];
  }
  ir::Tables tables;
  mesh::MeshId id;
};

TEST_F(BlocksTest, CutsBothDims) {
  Literal whole = Counting(DType::S32, {4, 6});
  Literal block = BlockOf(whole, mesh(), sharding({{0}, {1}}), /*position=*/4);  // x=1, y=1
  EXPECT_EQ(block, Literal::Integers(DType::S32, {2, 2}, {14, 15, 20, 21}));
}

TEST_F(BlocksTest, AWholeValueIsShared) {
  Literal whole = Counting(DType::F32, {4, 6});
  EXPECT_EQ(BlockOf(whole, mesh(), sharding({{}, {}}), 3).raw().data(), whole.raw().data());
}

TEST_F(BlocksTest, PaddingIsNaN) {
  Literal whole = Counting(DType::F32, {4});
  Literal second = BlockOf(whole, mesh(), sharding({{1}}), 1);  // blocks of 2: the third is empty
  EXPECT_EQ(second, Literal::Integers(DType::F32, {2}, {2, 3}));
  Literal third = BlockOf(whole, mesh(), sharding({{1}}), 2);
  EXPECT_TRUE(std::isnan(third.GetReal(0)) && std::isnan(third.GetReal(1)));
}

TEST_F(BlocksTest, PaddingOfSeveralDimsIsPoisonedOutsideTheTrueRangeOnly) {
  Literal block = Counting(DType::F32, {3, 3});
  Poison(block, {2, 1});
  for (int64_t i = 0; i < 9; ++i) {
    EXPECT_EQ(std::isnan(block.GetReal(i)), i != 0 && i != 3) << i;
  }
}

TEST_F(BlocksTest, PlacingAllBlocksGivesTheWhole) {
  for (Dims dims : {Dims{4, 6}, Dims{3, 7}, Dims{1, 2}}) {
    Literal whole = Counting(DType::S64, dims);
    const mesh::Sharding& s = sharding({{0}, {1}});
    Literal again(DType::S64, dims);
    for (int64_t p = 0; p < 6; ++p) {
      PlaceBlock(BlockOf(whole, mesh(), s, p), mesh(), s, p, again);
    }
    EXPECT_EQ(again, whole);
  }
}

TEST_F(BlocksTest, ScalarsAreOneBlock) {
  Literal whole = Counting(DType::F32, {});
  EXPECT_EQ(BlockOf(whole, mesh(), sharding({}), 5), whole);
}

}  // namespace
}  // namespace spmdc::run
