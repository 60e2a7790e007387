// Shard ranges, equivalence and the checks of shardings against brute force on all small meshes.
#include "mesh/sharding.h"

#include <map>

#include "gtest/gtest.h"
#include "small_meshes.h"

namespace spmdc::mesh {
namespace {

using test::Column;
using test::MakeMesh;
using test::RandomSharding;

AxisList Axes(const Mesh& mesh, llvm::ArrayRef<llvm::StringRef> names) {
  AxisList list;
  for (llvm::StringRef name : names) {
    Append(list, AxisList{Whole(mesh, *mesh.FindAxis(name))});
  }
  return list;
}

TEST(Sharding, RangesTileEveryDim) {
  std::mt19937 random(1);
  for (const Mesh& mesh : test::SmallMeshes(24)) {
    for (int round = 0; round < 10; ++round) {
      Sharding sharding = RandomSharding(mesh, 2, random, false);
      llvm::SmallVector<int64_t, 2> dims = {static_cast<int64_t>(random() % 14), static_cast<int64_t>(random() % 14)};
      for (int64_t position = 0; position < mesh.size(); ++position) {
        auto range = ShardRange(mesh, sharding, dims, position);
        for (size_t d = 0; d < 2; ++d) {
          // Element e of a dim belongs to block e / local: the flat split.
          int64_t block = test::BruteCoordinate(mesh, sharding.dims[d].axes, position);
          int64_t local = LocalDims(sharding, dims)[d];
          for (int64_t e = 0; e < dims[d]; ++e) {
            ASSERT_EQ(e >= range[d].first && e < range[d].second, e / local == block);
          }
          ASSERT_LE(range[d].first, range[d].second);
          ASSERT_LE(range[d].second, dims[d]);
        }
      }
    }
  }
}

TEST(Sharding, UnevenDimsSplitFlat) {
  // Two elements over a=4, b=2: the first two blocks hold one each, whatever the mesh's shape.
  Mesh mesh = MakeMesh({4, 2});
  Sharding sharding = Replicated(MeshId{0}, 1);
  sharding.dims[0].axes = Axes(mesh, {"a", "b"});
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (int64_t position = 0; position < 8; ++position) {
    ranges.push_back(ShardRange(mesh, sharding, {2}, position)[0]);
  }
  EXPECT_EQ(ranges[0], std::make_pair(int64_t{0}, int64_t{1}));
  EXPECT_EQ(ranges[1], std::make_pair(int64_t{1}, int64_t{2}));
  for (size_t i = 2; i < 8; ++i) {
    EXPECT_EQ(ranges[i].first, ranges[i].second);
  }
  EXPECT_EQ(LocalSize(5, 4), 2);
  EXPECT_EQ(LocalSize(0, 4), 0);
  EXPECT_FALSE(IsEven(sharding, {12}));
  EXPECT_TRUE(IsEven(sharding, {16}));
}

// Per device: its block numbers, the smallest device that holds the same block and term, and the counts.
std::map<int64_t, std::vector<int64_t>> Blocks(const Mesh& mesh, const Sharding& sharding) {
  std::map<int64_t, std::vector<int64_t>> blocks;
  std::map<std::vector<int64_t>, int64_t> smallest;
  for (int round = 0; round < 2; ++round) {
    for (int64_t i = 0; i < mesh.size(); ++i) {
      std::vector<int64_t> entry;
      for (const DimSharding& dim : sharding.dims) {
        entry.push_back(test::BruteCoordinate(mesh, dim.axes, i));
      }
      std::vector<int64_t> holder = entry;
      holder.push_back(test::BruteCoordinate(mesh, sharding.unreduced, i));
      int64_t device = mesh.DeviceAt(i);
      int64_t& least = smallest.try_emplace(holder, device).first->second;
      least = std::min(least, device);
      entry.push_back(least);
      for (const DimSharding& dim : sharding.dims) {
        entry.push_back(ShardCount(dim));
      }
      entry.push_back(Product(sharding.unreduced));
      blocks[device] = entry;
    }
  }
  return blocks;
}

TEST(Sharding, EquivalentIsSameBlockOnEveryDevice) {
  std::mt19937 random(2);
  std::vector<Mesh> meshes;
  for (const Mesh& mesh : test::SmallMeshes(12)) {
    if (mesh.size() == 4 || mesh.size() == 6 || mesh.size() == 8 || mesh.size() == 12) {
      meshes.push_back(mesh);
      meshes.push_back(test::Permuted(mesh, random));
    }
  }
  struct Entry {
    Mesh mesh;
    Sharding sharding;
    std::map<int64_t, std::vector<int64_t>> blocks;
  };
  std::vector<Entry> entries;
  for (const Mesh& mesh : meshes) {
    for (int i = 0; i < 8; ++i) {
      Sharding sharding = RandomSharding(mesh, 2, random, true);
      entries.push_back({mesh, sharding, Blocks(mesh, sharding)});
    }
  }
  size_t equal = 0;
  for (const Entry& a : entries) {
    for (const Entry& b : entries) {
      bool expected = a.blocks == b.blocks;
      equal += expected ? 1 : 0;
      ASSERT_EQ(IsEquivalent(a.mesh, a.sharding, b.mesh, b.sharding), expected)
          << ToSdy(a.mesh, a.sharding) << " on " << Describe(a.mesh) << " and " << ToSdy(b.mesh, b.sharding);
    }
  }
  EXPECT_GT(equal, entries.size());
}

TEST(Sharding, SizeOneAxesAndPinsDoNotCount) {
  Mesh mesh = MakeMesh({4, 1});
  Sharding a = Replicated(MeshId{0}, 2);
  Sharding both = a;
  Sharding split = a;
  a.dims[0].axes = Axes(mesh, {"a"});
  both.dims[0].axes = Axes(mesh, {"a", "b"});
  split.dims[0].axes = Axes(mesh, {"a"});
  split.dims[1].axes = Axes(mesh, {"b"});
  split.dims[1].open = true;
  EXPECT_TRUE(IsEquivalent(mesh, a, mesh, both));
  EXPECT_TRUE(IsEquivalent(mesh, a, mesh, split));
  EXPECT_EQ(DropUnits(both), a);
  EXPECT_FALSE(IsEquivalent(mesh, a, mesh, Replicated(MeshId{0}, 2)));
  EXPECT_FALSE(IsEquivalent(mesh, a, mesh, Replicated(MeshId{0}, 1)));
  Sharding sum = Replicated(MeshId{0}, 1);
  sum.unreduced = Axes(mesh, {"a"});
  Sharding max = sum;
  max.unreduced_kind = Monoid::Max;
  EXPECT_FALSE(IsEquivalent(mesh, sum, mesh, max));
  EXPECT_FALSE(sum.is_fully_replicated());
}

TEST(Sharding, ReplicatedValuesCompareByDeviceSet) {
  Mesh mesh = MakeMesh({2, 2});
  Mesh other = mesh;
  other.device_ids = {3, 1, 2, 0};
  Sharding replicated = Replicated(MeshId{0}, 1);
  EXPECT_TRUE(IsEquivalent(mesh, replicated, other, replicated));
  EXPECT_FALSE(IsEquivalent(mesh, replicated, MakeMesh({2, 4}), replicated));
  Sharding sharded = replicated;
  sharded.dims[0].axes = Axes(mesh, {"a"});
  EXPECT_FALSE(IsEquivalent(mesh, sharded, other, sharded));
}

TEST(Sharding, MeshesWithoutAxesStandForAnyDevices) {
  Mesh mesh = MakeMesh({4});
  Mesh empty;
  Mesh maximal;
  maximal.maximal = true;
  maximal.device_ids = {2};
  Sharding replicated = Replicated(MeshId{0}, 1);
  Sharding sharded = replicated;
  sharded.dims[0].axes = Axes(mesh, {"a"});
  EXPECT_TRUE(IsEquivalent(empty, replicated, mesh, replicated));
  EXPECT_FALSE(IsEquivalent(empty, replicated, mesh, sharded));
  EXPECT_FALSE(IsEquivalent(maximal, replicated, mesh, replicated));
  Mesh other = maximal;
  other.device_ids = {3};
  EXPECT_FALSE(IsEquivalent(maximal, replicated, other, replicated));
  EXPECT_TRUE(IsEquivalent(maximal, replicated, maximal, replicated));
}

TEST(Sharding, TypesAsJaxPrintsThem) {
  Mesh mesh = MakeMesh({2, 2, 3});
  Sharding sharding = Replicated(MeshId{0}, 2);
  EXPECT_EQ(TypeWithSharding("f32", {8, 4}, nullptr, nullptr), "f32[8,4]");
  sharding.dims[0].axes = Axes(mesh, {"a", "b"});
  EXPECT_EQ(TypeWithSharding("f32", {8, 4}, &mesh, &sharding), "f32[8@(a,b),4]");
  EXPECT_EQ(ToSpec(mesh, sharding), "P(('a', 'b'), None)");
  sharding.dims[0].axes = Axes(mesh, {"b"});
  sharding.unreduced = Axes(mesh, {"c"});
  sharding.varying = Axes(mesh, {"a"});
  EXPECT_EQ(TypeWithSharding("f32", {8, 4}, &mesh, &sharding), "f32[8@b,4]{V:a, U:c}");
  EXPECT_EQ(ToSpec(mesh, sharding), "P('b', None, unreduced={'c'})");
  sharding.varying.clear();
  sharding.unreduced.clear();
  sharding.reduced = Axes(mesh, {"a", "c"});
  EXPECT_EQ(TypeWithSharding("f32", {8, 4}, &mesh, &sharding), "f32[8@b,4]{R:(a,c)}");
  Sharding vector = Replicated(MeshId{0}, 1);
  EXPECT_EQ(ToSpec(mesh, vector), "P(None,)");
  vector.dims[0].open = true;
  EXPECT_EQ(ToSpec(mesh, vector), "P(UNCONSTRAINED,)");
  EXPECT_EQ(ToSpec(mesh, Replicated(MeshId{0}, 0)), "P()");
  vector = Replicated(MeshId{0}, 0);
  vector.reduced = Axes(mesh, {"a"});
  EXPECT_EQ(ToSpec(mesh, vector), "P(reduced={'a'})");
}

TEST(Sharding, VerifyTellsWhatIsWrong) {
  Mesh mesh = MakeMesh({6, 4});
  Sharding sharding = Replicated(MeshId{0}, 2);
  EXPECT_EQ(Verify(mesh, sharding, 2), "");
  EXPECT_NE(Verify(mesh, sharding, 3), "");
  sharding.dims[0].axes = Axes(mesh, {"a"});
  sharding.dims[1].axes = Axes(mesh, {"a"});
  EXPECT_EQ(Verify(mesh, sharding, 2), "axis `a` is used twice");
  sharding.dims[0].axes = {{0, 1, 2}};
  sharding.dims[1].axes = {{0, 3, 2}};
  EXPECT_EQ(Verify(mesh, sharding, 2), "`a:(1)2` and `a:(3)2` are not digits of one split of their axis");
  sharding.dims[1].axes = {{0, 1, 6}};
  EXPECT_EQ(Verify(mesh, sharding, 2), "`a:(1)2` and `a` overlap");
  sharding.dims[1].axes = {{0, 2, 2}};
  EXPECT_EQ(Verify(mesh, sharding, 2), "sub-axis `a:(2)2` is no digit of axis `a` of size 6");
  sharding.dims[1].axes = {{0, 2, 3}};
  EXPECT_EQ(Verify(mesh, sharding, 2), "");
  sharding.unreduced = {{0, 2, 3}};
  EXPECT_NE(Verify(mesh, sharding, 2), "");
}

TEST(Mesh, OrdersAndNames) {
  Mesh mesh = MakeMesh({2, 3});
  EXPECT_EQ(mesh.size(), 6);
  EXPECT_EQ(Describe(mesh), "a=2 x b=3");
  EXPECT_EQ(mesh.FindAxis("b"), 1);
  EXPECT_EQ(mesh.FindAxis("z"), std::nullopt);
  Mesh same = mesh;
  same.device_ids = {0, 1, 2, 3, 4, 5};
  EXPECT_FALSE(same == mesh);
  NormalizeDeviceIds(same);
  EXPECT_TRUE(same == mesh);
  EXPECT_EQ(hash_value(same), hash_value(mesh));
  same.name = "other";
  same.axes[0].type = AxisType::Explicit;
  EXPECT_TRUE(SameDevices(same, mesh));
  EXPECT_TRUE(same.has_explicit_axes());
  same.device_ids = {1, 0, 2, 3, 4, 5};
  NormalizeDeviceIds(same);
  EXPECT_FALSE(SameDevices(same, mesh));
  EXPECT_EQ(same.DeviceAt(0), 1);
}

TEST(Mesh, VerifyTellsWhatIsWrong) {
  EXPECT_EQ(Verify(MakeMesh({2, 3})), "");
  EXPECT_EQ(Verify(Mesh()), "");
  EXPECT_EQ(Verify(MakeMesh({2, 0})), "axis 'b' has size 0, sizes are at least 1");
  EXPECT_EQ(Verify(MakeMesh({1 << 30, 1 << 30})), "the mesh has more than 1099511627776 devices");
  Mesh mesh = MakeMesh({2, 2});
  mesh.device_ids = {0, 1, 2};
  EXPECT_EQ(Verify(mesh), "the mesh has 4 devices, device_ids lists 3");
  mesh.device_ids = {0, 1, 2, 4};
  EXPECT_EQ(Verify(mesh), "device_ids must list each of 0 to 3 once");
  mesh.device_ids = {3, 1, 2, 0};
  EXPECT_EQ(Verify(mesh), "");
  mesh.axes[1].name = "a";
  EXPECT_EQ(Verify(mesh), "axis 'a' is in the mesh twice");
}

TEST(Sharding, InternedByValue) {
  ShardingTable table;
  Mesh mesh = MakeMesh({2, 3});
  Sharding a = Replicated(MeshId{0}, 2);
  ShardingId first = table.Intern(a);
  EXPECT_EQ(table.Intern(Replicated(MeshId{0}, 2)), first);
  a.dims[1].axes = Axes(mesh, {"b"});
  EXPECT_NE(table.Intern(a), first);
  EXPECT_EQ(UsedAxes(a), Axes(mesh, {"b"}));
}

}  // namespace
}  // namespace spmdc::mesh
