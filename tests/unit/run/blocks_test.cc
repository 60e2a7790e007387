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
  Literal CutAndJoin(const Literal& whole, const mesh::Sharding& s) {
    std::vector<Literal> cut;
    for (int64_t p = 0; p < mesh().size(); ++p) {
      cut.push_back(BlockOf(whole, mesh(), s, p));
    }
    std::vector<PlacedBlock> blocks;
    for (int64_t p = 0; p < mesh().size(); ++p) {
      blocks.push_back({p, &cut[static_cast<size_t>(p)]});
    }
    return JoinBlocks(blocks, mesh(), s, whole.dims());
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

TEST_F(BlocksTest, AllBlocksJoinedAreTheWhole) {
  for (Dims dims : {Dims{4, 6}, Dims{3, 7}, Dims{1, 2}}) {
    Literal whole = Counting(DType::S64, dims);
    EXPECT_EQ(CutAndJoin(whole, sharding({{0}, {1}})), whole);
  }
}

TEST_F(BlocksTest, TermsOfAnUnreducedValueAddUpToIt) {
  mesh::Sharding s = sharding({{0}, {}});
  s.unreduced = {mesh::Whole(mesh(), 1)};
  for (mesh::Monoid monoid : {mesh::Monoid::Sum, mesh::Monoid::Product, mesh::Monoid::Max}) {
    s.unreduced_kind = monoid;
    for (DType dtype : {DType::S32, DType::F32, DType::BF16}) {
      Literal whole = Counting(dtype, {3, 7});
      EXPECT_EQ(CutAndJoin(whole, s), whole);
    }
  }
}

TEST_F(BlocksTest, EveryDeviceAlongAnUnreducedAxisAddsItsTerm) {
  mesh::Sharding s = sharding({{}});
  s.unreduced = {mesh::Whole(mesh(), 1)};
  Literal one = Literal::Integers(DType::S32, {2}, {1, 10});
  std::vector<PlacedBlock> blocks;
  for (int64_t p = 0; p < 6; ++p) {
    blocks.push_back({p, &one});
  }
  EXPECT_EQ(JoinBlocks(blocks, mesh(), s, {2}), Literal::Integers(DType::S32, {2}, {3, 30}));
}

TEST_F(BlocksTest, ScalarsAreOneBlock) {
  Literal whole = Counting(DType::F32, {});
  EXPECT_EQ(BlockOf(whole, mesh(), sharding({}), 5), whole);
}

}  // namespace
}  // namespace spmdc::run
