// Tests of how the axes of factors lie on a dim of several factors.
#include "op/factor_axes.h"

#include "gtest/gtest.h"

namespace spmdc::op {
namespace {

// One dim of two factors, on a mesh of two axes of two devices each.
struct MergedDim {
  MergedDim(int64_t major, int64_t minor) {
    rule.factors = {{major, FactorKind::Map}, {minor, FactorKind::Map}};
    tensor.dims = {{0, 1}};
    id = meshes.Intern(mesh::Mesh{"", {{"x", 2, mesh::AxisType::Auto}, {"y", 2, mesh::AxisType::Auto}}});
  }
  mesh::AxisList Axis(int32_t axis) const { return {mesh::Whole(meshes[id], axis)}; }
  bool CanBeSplit(const mesh::AxisList& major, const mesh::AxisList& minor) const {
    return WriteTensor(rule, tensor, {major, minor}, id).has_value();
  }

  Rule rule;
  TensorFactors tensor;
  Interner<mesh::MeshId, mesh::Mesh> meshes;
  mesh::MeshId id;
};

TEST(WriteTensor, ADimOfOneFactorAboveOneIsSplitAlongIt) {
  MergedDim groups(4, 1);
  EXPECT_TRUE(groups.CanBeSplit(groups.Axis(0), {}));
  EXPECT_TRUE(MergedDim(3, 1).CanBeSplit(groups.Axis(0), {}));  // unevenly, but nothing else lies in the dim
}

TEST(WriteTensor, AFactorOfOneElementIsNotSplitBesideAnother) {
  MergedDim groups(2, 1);
  EXPECT_FALSE(groups.CanBeSplit(groups.Axis(0), groups.Axis(1)));
  EXPECT_FALSE(groups.CanBeSplit({}, groups.Axis(1)));
  EXPECT_FALSE(MergedDim(1, 2).CanBeSplit(groups.Axis(0), {}));
}

TEST(WriteTensor, AMinorFactorIsSplitBehindSingleElementsOnly) {
  MergedDim dim(2, 4);
  EXPECT_TRUE(dim.CanBeSplit(dim.Axis(0), dim.Axis(1)));
  EXPECT_FALSE(dim.CanBeSplit({}, dim.Axis(1)));
  EXPECT_FALSE(MergedDim(4, 4).CanBeSplit(dim.Axis(0), dim.Axis(1)));
  EXPECT_FALSE(MergedDim(2, 3).CanBeSplit(dim.Axis(0), dim.Axis(1)));
}

TEST(WriteTensor, IsReadBack) {
  MergedDim dim(2, 4);
  FactorAxes axes = {dim.Axis(0), dim.Axis(1)};
  EXPECT_EQ(ReadFactors(dim.rule, dim.tensor, *WriteTensor(dim.rule, dim.tensor, axes, dim.id)), axes);
}

}  // namespace
}  // namespace spmdc::op
