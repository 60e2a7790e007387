// Device grids against the numbers spelled out: every shape of 24 devices.
#include "text/native/device_grid.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace spmdc::text::native {
namespace {

std::vector<int64_t> Ids(const DeviceGrid& grid) {
  tensor::Literal spelled = grid.Spelled();
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < spelled.size(); ++i) {
    ids.push_back(spelled.GetInt(i));
  }
  return ids;
}

// Every way to write 24 as a product of up to three sizes.
std::vector<tensor::Dims> Shapes() {
  std::vector<tensor::Dims> shapes{{24}};
  for (int64_t a = 1; a <= 24; ++a) {
    for (int64_t b = 1; a * b <= 24; ++b) {
      if (24 % (a * b) == 0) {
        shapes.push_back({a, b, 24 / (a * b)});
      }
    }
  }
  return shapes;
}

TEST(DeviceGrid, ReshapesKeepTheOrderOfDevices) {
  for (const tensor::Dims& from : Shapes()) {
    std::optional<DeviceGrid> grid = DeviceGrid::Row(24).Reshaped(from);
    ASSERT_TRUE(grid);
    EXPECT_TRUE(grid->is_identity());
    for (const tensor::Dims& to : Shapes()) {
      std::optional<DeviceGrid> again = grid->Reshaped(to);
      ASSERT_TRUE(again);
      EXPECT_EQ(Ids(*again), Ids(DeviceGrid::Row(24)));
    }
  }
}

TEST(DeviceGrid, ReshapesOfTransposedGridsAreRightOrGivenUp) {
  size_t kept = 0, given_up = 0;
  for (const tensor::Dims& from : Shapes()) {
    DeviceGrid grid = *DeviceGrid::Row(24).Reshaped(from);
    tensor::Dims permutation;
    for (size_t d = from.size(); d-- > 0;) {
      permutation.push_back(static_cast<int64_t>(d));
    }
    DeviceGrid turned = grid.Transposed(permutation);
    for (const tensor::Dims& to : Shapes()) {
      std::optional<DeviceGrid> reshaped = turned.Reshaped(to);
      if (!reshaped) {
        ++given_up;
        continue;
      }
      ++kept;
      EXPECT_EQ(Ids(*reshaped), Ids(turned));
    }
  }
  EXPECT_GT(kept, 0u);
  EXPECT_GT(given_up, 0u);
}

TEST(DeviceGrid, NoDevicesFollowNoRule) {
  EXPECT_EQ(DeviceGrid::Row(0).Reshaped({0, 2}), std::nullopt);
  EXPECT_EQ(DeviceGrid::Row(0).Reshaped({2, 0}), std::nullopt);
}

TEST(DeviceGrid, IsIdentity) {
  EXPECT_TRUE((DeviceGrid{0, {2, 1, 4}, {4, 77, 1}}).is_identity());
  EXPECT_FALSE((DeviceGrid{4, {4}, {1}}).is_identity());
  EXPECT_FALSE((DeviceGrid{7, {8}, {-1}}).is_identity());
  EXPECT_THAT(Ids(DeviceGrid{7, {3}, {-2}}), testing::ElementsAre(7, 5, 3));
}

}  // namespace
}  // namespace spmdc::text::native
