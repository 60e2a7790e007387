// Pictures: the exact drawing of small cases, every device once on all small meshes, and cuts on large ones.
#include "mesh/picture.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"
#include "small_meshes.h"

namespace spmdc::mesh {
namespace {

using test::MakeMesh;
using testing::HasSubstr;

TEST(Picture, RowsAcrossOneAxisReplicatedAcrossTheOther) {
  Mesh mesh = MakeMesh({2, 2});
  Sharding sharding = Replicated(MeshId{0}, 2);
  sharding.dims[0].axes = {Whole(mesh, 0)};
  EXPECT_EQ(Picture(mesh, sharding, {7, 512}),
            "P('a', None) on a=2 x b=2: 2 x 1 blocks of 4 x 512 each on 2 devices\n"
            "        0:512\n"
            "      +-------+\n"
            "  0:4 | 0,1   |\n"
            "      +-------+\n"
            "  4:7 | 2,3   |\n"
            "      +-------+\n");
}

TEST(Picture, ScalarsVectorsAndTerms) {
  Mesh mesh = MakeMesh({4, 2});
  EXPECT_EQ(Picture(mesh, Replicated(MeshId{0}, 0), {}),
            "P() on a=4 x b=2: one block on 8 devices\n"
            "   +-----+\n"
            "   | 0-7 |\n"
            "   +-----+\n");
  Sharding sharding = Replicated(MeshId{0}, 1);
  sharding.dims[0].axes = {Whole(mesh, 1)};
  sharding.unreduced = {Whole(mesh, 0)};
  EXPECT_EQ(Picture(mesh, sharding, {1}),
            "P('b', unreduced={'a'}) on a=4 x b=2: 2 blocks of 1 each on 4 devices\n"
            "the 4 devices along a hold terms of a sum\n"
            "        +---------+\n"
            "  0:1   | 0,2,4,6 |\n"
            "        +---------+\n"
            "  empty | 1,3,5,7 |\n"
            "        +---------+\n");
}

// The numbers in cells: lines with bars, without the range in front.
std::map<int64_t, int> DevicesDrawn(llvm::StringRef picture) {
  std::map<int64_t, int> drawn;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  picture.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    llvm::SmallVector<llvm::StringRef, 8> cells;
    line.split(cells, '|');
    for (size_t i = 1; i < cells.size(); ++i) {
      llvm::SmallVector<llvm::StringRef, 8> runs;
      cells[i].trim().split(runs, ',', -1, false);
      for (llvm::StringRef run : runs) {
        auto [first, last] = run.split('-');
        int64_t from = 0;
        int64_t to = 0;
        EXPECT_FALSE(first.getAsInteger(10, from)) << line.str();
        to = from;
        EXPECT_TRUE(last.empty() || !last.getAsInteger(10, to)) << line.str();
        for (; from <= to; ++from) {
          ++drawn[from];
        }
      }
    }
  }
  return drawn;
}

TEST(Picture, EveryDeviceOnceInEveryRank) {
  std::mt19937 random(10);
  for (const Mesh& plain : test::SmallMeshes(12)) {
    for (size_t rank = 0; rank <= 4; ++rank) {
      Mesh mesh = rank % 2 == 0 ? plain : test::Permuted(plain, random);
      Sharding sharding = test::RandomSharding(mesh, rank, random, true);
      llvm::SmallVector<int64_t, 4> dims(rank, 5);
      std::string picture = Picture(mesh, sharding, dims);
      std::map<int64_t, int> drawn = DevicesDrawn(picture);
      ASSERT_EQ(drawn.size(), static_cast<size_t>(mesh.size())) << picture;
      for (auto [device, times] : drawn) {
        ASSERT_EQ(times, 1) << picture;
      }
    }
  }
}

TEST(Picture, LargeMeshesAreCutAndSaySo) {
  Mesh mesh = MakeMesh({65536, 1024});
  Sharding sharding = Replicated(MeshId{0}, 3);
  sharding.dims[1].axes = {Whole(mesh, 0)};
  std::string picture = Picture(mesh, sharding, {4, 1 << 20, 8}, 4);
  EXPECT_THAT(picture, HasSubstr("0,... (1024 devices)"));
  EXPECT_THAT(picture, HasSubstr("... 65532 more rows"));
  sharding.dims[2].axes = {Whole(mesh, 1)};
  EXPECT_THAT(Picture(mesh, sharding, {4, 1 << 20, 1024}, 4), HasSubstr("... 1020 more columns"));
  sharding.dims[0].axes = sharding.dims[1].axes;
  sharding.dims[1].axes.clear();
  EXPECT_THAT(Picture(mesh, sharding, {1 << 20, 4, 2}, 4), HasSubstr("... 65535 more grids"));
  EXPECT_LT(Picture(mesh, sharding, {1 << 20, 4, 2}).size(), 100000U);
}

}  // namespace
}  // namespace spmdc::mesh
