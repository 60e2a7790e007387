// HLO's sharding texts: JAX's own examples, round trips on all small meshes, and refusals at their token.
#include "mesh/hlo_sharding.h"

#include <map>

#include "gtest/gtest.h"
#include "small_meshes.h"

namespace spmdc::mesh {
namespace {

using test::MakeMesh;
using test::RandomSharding;

TileSharding ParseLeaf(llvm::StringRef text) {
  llvm::SmallVector<TileSharding, 1> leaves;
  bool is_tuple = false;
  size_t end = 0;
  std::optional<TextError> error = ParseHloSharding(text, leaves, is_tuple, end);
  EXPECT_FALSE(error.has_value()) << text.str() << ": " << (error ? error->message : "");
  EXPECT_FALSE(is_tuple);
  EXPECT_EQ(end, text.size());
  return leaves.empty() ? TileSharding{} : leaves[0];
}

// "OFFSET: message" of a text that is no sharding.
std::string ErrorOf(llvm::StringRef text) {
  llvm::SmallVector<TileSharding, 1> leaves;
  bool is_tuple = false;
  size_t end = 0;
  std::optional<TextError> error = ParseHloSharding(text, leaves, is_tuple, end);
  return error ? std::to_string(error->offset) + ": " + error->message : "no error";
}

Mesh Named(llvm::ArrayRef<std::pair<const char*, int64_t>> axes) {
  Mesh mesh;
  mesh.name = "mesh";
  for (auto [name, size] : axes) {
    mesh.axes.push_back({name, size});
  }
  return mesh;
}

// Specs as "x,y|z": dims split by bars, axes by commas, `_` for none.
Sharding FromText(const Mesh& mesh, llvm::StringRef spec) {
  Sharding sharding;
  sharding.mesh = MeshId{0};
  llvm::SmallVector<llvm::StringRef, 4> dims;
  if (!spec.empty()) {
    spec.split(dims, '|');
  }
  for (llvm::StringRef dim : dims) {
    DimSharding& added = sharding.dims.emplace_back();
    llvm::SmallVector<llvm::StringRef, 2> names;
    dim.split(names, ',');
    for (llvm::StringRef name : names) {
      if (name != "_") {
        Append(added.axes, AxisList{Whole(mesh, *mesh.FindAxis(name))});
      }
    }
  }
  return sharding;
}

// Texts that JAX gives for these specs.
TEST(HloSharding, TextsOfJax) {
  struct Row {
    Mesh mesh;
    const char* spec;
    const char* text;
  };
  Mesh xy = Named({{"x", 4}, {"y", 2}});
  Mesh abc = Named({{"a", 2}, {"b", 3}, {"c", 4}});
  Mesh xyz = Named({{"x", 2}, {"y", 2}, {"z", 2}});
  Mesh units = Named({{"x", 1}, {"y", 2}, {"z", 4}});
  const Row rows[] = {
      {xy, "_|_", "{replicated}"},
      {xy, "x", "{devices=[4,2]<=[8] last_tile_dim_replicate}"},
      {xy, "x|_", "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"},
      {xy, "y|_", "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"},
      {xy, "_|x", "{devices=[1,4,2]<=[8] last_tile_dim_replicate}"},
      {xy, "_|y", "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"},
      {xy, "x|y", "{devices=[4,2]<=[8]}"},
      {xy, "y|x", "{devices=[2,4]<=[4,2]T(1,0)}"},
      {xy, "x,y|_", "{devices=[8,1]<=[8]}"},
      {xy, "y,x|_", "{devices=[8,1]<=[4,2]T(1,0)}"},
      {units, "_|_|z", "{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"},
      {units, "x|_|_", "{replicated}"},
      {Named({{"r", 1}, {"c", 8}}), "r|c", "{devices=[1,8]<=[8]}"},
      {Named({{"r", 1}, {"c", 8}}), "c|r", "{devices=[8,1]<=[8]}"},
      {Named({{"x", 2}, {"y", 1}}), "x|y", "{devices=[2,1]<=[2]}"},
      {abc, "b", "{devices=[3,8]<=[2,3,4]T(1,0,2) last_tile_dim_replicate}"},
      {abc, "c|a", "{devices=[4,2,3]<=[6,4]T(1,0) last_tile_dim_replicate}"},
      {abc, "c,a|b", "{devices=[8,3]<=[6,4]T(1,0)}"},
      {xyz, "x,z|y", "{devices=[4,2]<=[2,2,2]T(0,2,1)}"},
      {xyz, "y|_|x,z", "{devices=[2,1,4]<=[2,2,2]T(1,0,2)}"},
      {Named({{"a", 2}, {"b", 2}, {"c", 2}, {"d", 2}}), "_|d,b|c|_",
       "{devices=[1,4,2,1,2]<=[2,4,2]T(2,1,0) last_tile_dim_replicate}"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ToHlo(row.mesh, FromText(row.mesh, row.spec)), row.text) << row.spec;
  }
}

TEST(HloSharding, TextsOfJaxWithManualAndUnreduced) {
  Mesh ij = Named({{"i", 2}, {"j", 4}});
  AxisList i = {Whole(ij, 0)};
  AxisList j = {Whole(ij, 1)};
  EXPECT_EQ(ToHlo(ij, FromText(ij, "_|j"), i), "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}");
  EXPECT_EQ(ToHlo(ij, FromText(ij, "_|_"), j), "{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}");
  EXPECT_EQ(ToHlo(ij, FromText(ij, "_"), AxisList{Whole(ij, 0), Whole(ij, 1)}), "{manual}");
  Mesh xyz = Named({{"x", 2}, {"y", 4}, {"z", 3}});
  EXPECT_EQ(ToHlo(xyz, FromText(xyz, "y"), AxisList{Whole(xyz, 0)}),
            "{devices=[4,2,3]<=[2,4,3]T(1,0,2) last_tile_dims={manual, replicated}}");
  Mesh xy = Named({{"x", 2}, {"y", 2}});
  Sharding sharding = FromText(xy, "_|_");
  sharding.unreduced = {Whole(xy, 1)};
  EXPECT_EQ(ToHlo(xy, sharding), "{devices=[1,1,2,2]<=[2,2]T(1,0) last_tile_dims={unreduced, replicated}}");
  sharding.unreduced = {Whole(xy, 0), Whole(xy, 1)};
  EXPECT_EQ(ToHlo(xy, sharding), "{unreduced}");
  sharding = FromText(xy, "x");
  sharding.unreduced = {Whole(xy, 1)};
  EXPECT_EQ(ToHlo(xy, sharding), "{devices=[2,2]<=[4] last_tile_dims={unreduced}}");
}

TEST(HloSharding, PermutedMeshesListDevicesWhereNoIotaDoes) {
  Mesh mesh = MakeMesh({2, 2});
  mesh.device_ids = {0, 2, 1, 3};
  EXPECT_EQ(ToHlo(mesh, FromText(mesh, "a|b")), "{devices=[2,2]<=[2,2]T(1,0)}");
  mesh.device_ids = {0, 1, 3, 2};
  EXPECT_EQ(ToHlo(mesh, FromText(mesh, "a|b")), "{devices=[2,2]0,1,3,2}");
  EXPECT_EQ(ToHlo(mesh, FromText(mesh, "a")), "{devices=[2,2]<=[4] last_tile_dim_replicate}");
  Mesh maximal;
  maximal.maximal = true;
  maximal.device_ids = {3};
  EXPECT_EQ(ToHlo(maximal, Replicated(MeshId{0}, 2)), "{maximal device=3}");
}

// The devices that a tiled leaf lists, tile by tile, by XLA's definition of an iota.
std::vector<int64_t> DevicesOf(const TileSharding& leaf) {
  std::vector<int64_t> devices(leaf.devices.begin(), leaf.devices.end());
  if (!devices.empty()) {
    return devices;
  }
  int64_t total = 1;
  for (int64_t tile : leaf.tiles) {
    total *= tile;
  }
  for (int64_t q = 0; q < total; ++q) {
    std::vector<int64_t> at(leaf.reshape_dims.size());
    int64_t rest = q;
    for (size_t k = at.size(); k-- > 0;) {
      size_t dim = leaf.transpose.empty() ? k : static_cast<size_t>(leaf.transpose[k]);
      at[dim] = rest % leaf.reshape_dims[dim];
      rest /= leaf.reshape_dims[dim];
    }
    int64_t device = 0;
    for (size_t dim = 0; dim < at.size(); ++dim) {
      device = device * leaf.reshape_dims[dim] + at[dim];
    }
    devices.push_back(device);
  }
  return devices;
}

// Per device, its tile number along each data dim.
std::map<int64_t, std::vector<int64_t>> TilesOf(const TileSharding& leaf, const Mesh& mesh, size_t rank) {
  std::map<int64_t, std::vector<int64_t>> tiles;
  if (leaf.kind == TileSharding::Kind::Replicated || leaf.kind == TileSharding::Kind::Unreduced) {
    for (int64_t i = 0; i < mesh.size(); ++i) {
      tiles[i] = std::vector<int64_t>(rank, 0);
    }
    return tiles;
  }
  std::vector<int64_t> devices = DevicesOf(leaf);
  for (size_t q = 0; q < devices.size(); ++q) {
    std::vector<int64_t> at(leaf.tiles.size());
    int64_t rest = static_cast<int64_t>(q);
    for (size_t k = at.size(); k-- > 0;) {
      at[k] = rest % leaf.tiles[k];
      rest /= leaf.tiles[k];
    }
    at.resize(rank);
    tiles[devices[q]] = at;
  }
  return tiles;
}

TEST(HloSharding, TextsPlaceBlocksAsTheAxesDo) {
  std::mt19937 random(3);
  for (const Mesh& plain : test::SmallMeshes(24)) {
    for (int round = 0; round < 24; ++round) {
      Mesh mesh = round % 3 == 0 ? test::Permuted(plain, random) : plain;
      Sharding sharding = RandomSharding(mesh, 2, random, round % 2 == 0);
      std::string text = ToHlo(mesh, sharding);
      TileSharding leaf = ParseLeaf(text);
      auto tiles = TilesOf(leaf, mesh, 2);
      ASSERT_EQ(tiles.size(), static_cast<size_t>(mesh.size())) << text;
      for (int64_t i = 0; i < mesh.size(); ++i) {
        for (size_t d = 0; d < 2; ++d) {
          ASSERT_EQ(tiles[mesh.DeviceAt(i)][d], test::BruteCoordinate(mesh, sharding.dims[d].axes, i)) << text;
        }
      }
    }
  }
}

TEST(HloSharding, NamedAgainOnItsMeshAndOnItsOwn) {
  std::mt19937 random(4);
  for (const Mesh& plain : test::SmallMeshes(24)) {
    for (int round = 0; round < 24; ++round) {
      Mesh mesh = round % 3 == 0 ? test::Permuted(plain, random) : plain;
      Sharding sharding = RandomSharding(mesh, 2, random, round % 2 == 0);
      TileSharding leaf = ParseLeaf(ToHlo(mesh, sharding));
      std::optional<Sharding> again = ToNamed(leaf, mesh, MeshId{0}, 2);
      ASSERT_TRUE(again.has_value()) << ToHlo(mesh, sharding) << " on " << Describe(mesh);
      EXPECT_EQ(Verify(mesh, *again, 2), "");
      ASSERT_TRUE(IsEquivalent(mesh, sharding, mesh, *again)) << ToHlo(mesh, sharding) << " on " << Describe(mesh);
      Mesh own = MeshOf(leaf, mesh.size());
      std::optional<Sharding> on_own = ToNamed(leaf, own, MeshId{0}, 2);
      ASSERT_TRUE(on_own.has_value()) << ToHlo(mesh, sharding) << " on " << Describe(own);
      ASSERT_TRUE(IsEquivalent(mesh, sharding, own, *on_own)) << ToHlo(mesh, sharding) << " on " << Describe(own);
    }
  }
}

TEST(HloSharding, OtherMeshesExpressALeafOrRefuseIt) {
  int refused = 0;
  for (const Mesh& from : {MakeMesh({2, 6}), MakeMesh({3, 4}), MakeMesh({6, 2}), MakeMesh({2, 3, 2})}) {
    for (const Mesh& to : {MakeMesh({2, 6}), MakeMesh({3, 4}), MakeMesh({4, 3}), MakeMesh({12})}) {
      std::vector<AxisList> lists = test::AllLists(to, 3);
      for (const AxisList& axes : test::AllLists(from, 2)) {
        Sharding sharding = Replicated(MeshId{0}, 1);
        sharding.dims[0].axes = axes;
        std::optional<Sharding> moved = ToNamed(ParseLeaf(ToHlo(from, sharding)), to, MeshId{0}, 1);
        refused += moved ? 0 : 1;
        if (moved) {
          ASSERT_TRUE(IsEquivalent(from, sharding, to, *moved)) << ToHlo(from, sharding) << " on " << Describe(to);
          continue;
        }
        // Refused only if no list of the mesh does it.
        for (const AxisList& candidate : lists) {
          Sharding other = Replicated(MeshId{0}, 1);
          other.dims[0].axes = candidate;
          ASSERT_FALSE(IsEquivalent(from, sharding, to, other)) << ToHlo(from, sharding) << " on " << Describe(to);
        }
      }
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(HloSharding, CommonMeshServesAllLeaves) {
  std::mt19937 random(5);
  int common = 0;
  for (const Mesh& mesh : test::SmallMeshes(24)) {
    for (int round = 0; round < 10; ++round) {
      Sharding a = RandomSharding(mesh, 2, random, false);
      Sharding b = RandomSharding(mesh, 1, random, false);
      TileSharding leaves[] = {ParseLeaf(ToHlo(mesh, a)), ParseLeaf(ToHlo(mesh, b))};
      std::optional<Mesh> both = CommonMesh({&leaves[0], &leaves[1]}, mesh.size());
      std::optional<Sharding> named_a = both ? ToNamed(leaves[0], *both, MeshId{0}, 2) : std::nullopt;
      std::optional<Sharding> named_b = both ? ToNamed(leaves[1], *both, MeshId{0}, 1) : std::nullopt;
      if (both) {
        ++common;
        ASSERT_TRUE(named_a && named_b);
        ASSERT_TRUE(IsEquivalent(mesh, a, *both, *named_a));
        ASSERT_TRUE(IsEquivalent(mesh, b, *both, *named_b));
      }
      // Shardings whose axes are whole always nest.
      bool whole = true;
      for (const Sharding* sharding : {&a, &b}) {
        for (const DimSharding& dim : sharding->dims) {
          whole = whole && llvm::all_of(dim.axes, [&mesh](AxisRef ref) { return IsWhole(mesh, ref); });
        }
      }
      ASSERT_TRUE(both || !whole) << ToHlo(mesh, a) << ToHlo(mesh, b);
    }
  }
  EXPECT_GT(common, 500);
}

TEST(HloSharding, TileOrderThatTakesThreeAxes) {
  TileSharding leaf = ParseLeaf("{devices=[3,4]<=[2,3,2]T(1,0,2)}");
  Mesh mesh = MeshOf(leaf, 12);
  EXPECT_EQ(Describe(mesh), "axis_0=2 x axis_1=3 x axis_2=2");
  std::optional<Sharding> sharding = ToNamed(leaf, mesh, MeshId{0}, 2);
  ASSERT_TRUE(sharding.has_value());
  EXPECT_EQ(ToSpec(mesh, *sharding), "P('axis_1', ('axis_0', 'axis_2'))");
  EXPECT_EQ(LocalDims(*sharding, {6, 4}), (llvm::SmallVector<int64_t, 4>{2, 1}));
  EXPECT_EQ(ToHlo(mesh, *sharding), "{devices=[3,4]<=[2,3,2]T(1,0,2)}");
}

TEST(HloSharding, TilesThatDoNotNestGetTheirDeviceOrder) {
  // Tiles of 2 x 3 over digits 3, 2: no split of the positions has both.
  TileSharding leaf = ParseLeaf("{devices=[2,3]<=[2,3]T(1,0)}");
  Mesh mesh = MeshOf(leaf, 6);
  EXPECT_EQ(Describe(mesh), "axis_0=2 x axis_1=3");
  EXPECT_EQ(mesh.device_ids, (llvm::SmallVector<int64_t, 0>{0, 3, 1, 4, 2, 5}));
  std::optional<Sharding> sharding = ToNamed(leaf, mesh, MeshId{0}, 2);
  ASSERT_TRUE(sharding.has_value());
  EXPECT_EQ(ToSpec(mesh, *sharding), "P('axis_0', 'axis_1')");
  EXPECT_EQ(ToHlo(mesh, *sharding), "{devices=[2,3]<=[2,3]T(1,0)}");
  TileSharding other = ParseLeaf("{devices=[6]<=[6]}");
  EXPECT_EQ(CommonMesh({&leaf, &other}, 6), std::nullopt);
  TileSharding same = ParseLeaf("{devices=[2,1,3]0,3,1,4,2,5 last_tile_dim_replicate}");
  EXPECT_EQ(CommonMesh({&leaf, &same}, 6), mesh);
}

TEST(HloSharding, ListsThatLeaveAxesToCopiesMakeAMeshTogether) {
  TileSharding rows = ParseLeaf("{devices=[2,1,4]0,1,2,4,3,5,6,7 last_tile_dim_replicate}");
  TileSharding columns = ParseLeaf("{devices=[1,4,2]2,3,1,5,0,6,4,7 last_tile_dim_replicate}");
  std::optional<Mesh> mesh = CommonMesh({&rows, &columns}, 8);
  ASSERT_TRUE(mesh.has_value());
  EXPECT_EQ(mesh->axes.size(), 3U);
  EXPECT_EQ(std::vector<int64_t>(mesh->device_ids.begin(), mesh->device_ids.end()),
            (std::vector<int64_t>{2, 1, 0, 4, 3, 5, 6, 7}));
  // Half of the devices of each block, and not the same halves of all.
  TileSharding other = ParseLeaf("{devices=[2,1,4]0,2,5,7,1,3,4,6 last_tile_dim_replicate}");
  EXPECT_EQ(CommonMesh({&rows, &columns, &other}, 8), std::nullopt);
}

TEST(HloSharding, ReplicaOrderInListsSaysNothing) {
  TileSharding listed = ParseLeaf("{devices=[2,2]1,0,3,2 last_tile_dim_replicate}");
  Mesh mesh = MakeMesh({2, 2});
  std::optional<Sharding> sharding = ToNamed(listed, mesh, MeshId{0}, 1);
  ASSERT_TRUE(sharding.has_value());
  EXPECT_EQ(ToSpec(mesh, *sharding), "P('a',)");
  EXPECT_EQ(MeshOf(listed, 4).device_ids.size(), 0U);
}

TEST(HloSharding, ReadsEveryForm) {
  for (const char* text :
       {"{maximal device=42}",
        "{devices=[2,2]0,1,2,3 last_tile_dim_replicate}",
        "{unknown}",
        "{manual shard_as 1}",
        "{devices=[2,2,2,2]<=[16] last_tile_dims={manual, replicated} shard_like 1}",
        "{maximal_mesh[device_id=5]}",
        "{mesh['a'=2,'b'=4,'c'=3,'d'=8], [{'b':(2)2}, {'d':(4)2, 'c', ?}]}",
        "{mesh[], replicated}",
        "{mesh['a'=2,'b'=4,'c'=4,'d'=2], device_ids=([4,16]T(1,0)), [{'a'}]}",
        "{mesh['a'=2,'b'=4], manual}",
        "{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}]}",
        "{mesh['x'=2], [{}], unreduced=max{'x'}}",
        "{mesh['a.b'=2,'<axis> def'=4,'z/w'=2], [{'a.b'}, {'<axis> def':(2)2, 'z/w'}]}",
        "{mesh['a'=2,'b'=4,'c'=3,'d'=8], [{'a'}], replicated={'c'}, unreduced={'d':(4)2}, manual={'b':(2)2}, "
        "metadata={{op_name=\"foo}\"}, {op_name=\"bar\"}}}",
        "{mesh['a'=2,'b'=4], replicated, metadata={{op_name=\"foo\"}}}",
        "{mesh['a'=2], unreduced}",
        "{mesh['x'=2,'y'=2], unreduced=max{'x', 'y'}}",
        "{mesh[x=4,y=8], [{x},{y}]}",
        "{devices=[1,2]0,1 metadata={op_name=\"a\\\"}\"}}",
        "{replicated metadata={op_name=\"x\"}}",
        "{unreduced}"}) {
    ParseLeaf(text);
  }
  TileSharding leaf = ParseLeaf("{devices=[2,2,2,2]<=[16] last_tile_dims={manual, replicated} shard_like 7}");
  EXPECT_EQ(leaf.shard_like, 7);
  EXPECT_EQ(leaf.subgroups.size(), 2U);
  leaf = ParseLeaf("{mesh['a'=2,'b'=4], [{'a'}, {?}], unreduced=max{'b':(1)2}, manual={'b':(2)2}}");
  ASSERT_TRUE(leaf.named.has_value());
  EXPECT_EQ(leaf.named->second.unreduced_kind, Monoid::Max);
  EXPECT_TRUE(leaf.named->second.dims[1].open);
  EXPECT_EQ(leaf.named->second.varying, AxisList({{1, 2, 2}}));
}

TEST(HloSharding, NamedLeavesMoveToEqualMeshes) {
  TileSharding leaf = ParseLeaf("{mesh['a'=2,'b'=4], [{'a','b':(1)2}, {?}], replicated={'b':(2)2}}");
  Mesh flat = MakeMesh({8});
  std::optional<Sharding> sharding = ToNamed(leaf, flat, MeshId{3}, 2);
  ASSERT_TRUE(sharding.has_value());
  EXPECT_EQ(sharding->dims[0].axes, AxisList({{0, 1, 4}}));
  EXPECT_EQ(sharding->replicated, AxisList({{0, 4, 2}}));
  EXPECT_TRUE(sharding->dims[1].open);
  EXPECT_EQ(sharding->mesh, MeshId{3});
  EXPECT_EQ(ToNamed(leaf, MakeMesh({2, 2}), MeshId{3}, 2), std::nullopt);
  TileSharding minor = ParseLeaf("{mesh['x'=3,'y'=4], [{'y':(1)2}]}");
  EXPECT_EQ(ToNamed(minor, MakeMesh({2, 6}), MeshId{3}, 1), std::nullopt);
  EXPECT_EQ(ToNamed(leaf, flat, MeshId{3}, 1), std::nullopt);
}

TEST(HloSharding, TuplesAndWhatFollows) {
  llvm::SmallVector<TileSharding, 4> leaves;
  bool is_tuple = false;
  size_t end = 0;
  llvm::StringRef text = "{{devices=[2]<=[2]}, {replicated}, /*index=2*/{maximal device=1}}, metadata={}";
  ASSERT_FALSE(ParseHloSharding(text, leaves, is_tuple, end).has_value());
  EXPECT_TRUE(is_tuple);
  EXPECT_EQ(leaves.size(), 3U);
  EXPECT_EQ(text.drop_front(end), ", metadata={}");
  leaves.clear();
  ASSERT_FALSE(ParseHloSharding("{}", leaves, is_tuple, end).has_value());
  EXPECT_TRUE(is_tuple);
  EXPECT_TRUE(leaves.empty());
}

TEST(HloSharding, RefusedAtTheToken) {
  EXPECT_EQ(ErrorOf("{devices=[2,2]<=[16]}"), "16: tiles cover 4 ids, iota has 16");
  EXPECT_EQ(ErrorOf("{devices=[2,2]0,1,2}"), "14: tiles cover 4 ids, the list has 3");
  EXPECT_EQ(ErrorOf("{devices=[2,2]0,1,1,2}"), "14: device 1 is listed twice");
  EXPECT_EQ(ErrorOf("{devices=[2,2]0,1,7,2}"), "14: device 7 is none of the list's 4 devices");
  EXPECT_EQ(ErrorOf("{devices=[2,2]<=[2,2]T(1,1)}"), "21: the transpose is no permutation of the iota's 2 dims");
  EXPECT_EQ(ErrorOf("{devices=[0,2]<=[2]}"), "10: a tile count must be at least 1, got 0");
  EXPECT_EQ(ErrorOf("{devices=[2]<=[2] last_tile_dims={manual, replicated}}"), "18: more subgroups than tile dims");
  EXPECT_EQ(ErrorOf("{devices=[2]<=[2] last_tile_dims={maximal}}"),
            "34: expected manual, unreduced or replicated, found 'maximal'");
  EXPECT_EQ(ErrorOf("{devices=[4294967296,4294967296]<=[1]}"), "9: the tile list is too large");
  EXPECT_EQ(ErrorOf("{devices=[99999999999999999999]<=[1]}"), "10: a tile count is too large: 99999999999999999999");
  EXPECT_EQ(ErrorOf("{replicated"), "11: expected '}', found the end of the text");
  EXPECT_EQ(ErrorOf(""), "0: expected '{', found the end of the text");
  EXPECT_EQ(ErrorOf("{mesh['a'=2], [{'b'}]}"), "16: axis 'b' is not in the mesh a=2");
  EXPECT_EQ(ErrorOf("{mesh['a'=2], [{'a'}, {'a'}]}"), "23: axis 'a' is used twice");
  EXPECT_EQ(ErrorOf("{mesh['a'=2], [{'a', 'a'}]}"), "21: axis 'a' is used twice");
  EXPECT_EQ(ErrorOf("{mesh['a'=6], [{'a':(2)2}]}"), "16: sub-axis 'a':(2)2 is no digit of an axis of size 6");
  EXPECT_EQ(ErrorOf("{mesh['a'=2,'a'=3], replicated}"), "12: axis 'a' is in the mesh twice");
  EXPECT_EQ(ErrorOf("{mesh['a'=4], device_ids=(0,1,3), [{}]}"), "26: the mesh has 4 devices, device_ids lists 3");
  EXPECT_EQ(ErrorOf("{mesh['a'=4], device_ids=([16]), [{}]}"), "26: the mesh has 4 devices, the iota has 16");
  EXPECT_EQ(ErrorOf("{mesh['a'=2], [{'a'}], replicated={'a'}}"), "35: axis 'a' is used twice");
  EXPECT_EQ(ErrorOf("{devices=[1048576,1048576]<=[1048575,1048576]T(1,0)}").substr(0, 16), "28: tiles cover ");
  EXPECT_EQ(ErrorOf("{devices=[1048576,1048576]<=[65536,16777216]T(1,0)}"), "no error");
  EXPECT_EQ(ErrorOf("{devices=[3,33554432]<=[3,33554432]T(1,0)}"),
            "23: tiles that do not nest in their iota may have at most 1048576 devices");
}

TEST(HloSharding, EveryCutOfATextIsRefusedOrRead) {
  for (llvm::StringRef text :
       {"{devices=[2,2,2]<=[2,2,2]T(2,0,1) last_tile_dims={manual, replicated} metadata={op_name=\"a\"} shard_as 1}",
        "{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), [{'a'}, {'b':(1)2, ?}], unreduced=max{'b':(2)2}}",
        "{{devices=[2,2]0,1,2,3 last_tile_dim_replicate}, {maximal device=3}, {unknown}}"}) {
    for (size_t length = 0; length < text.size(); ++length) {
      EXPECT_NE(ErrorOf(text.take_front(length)), "no error") << text.take_front(length).str();
      for (char c : {'{', '}', '[', '9', ',', '\'', 'x', ' ', '"'}) {
        std::string changed = text.str();
        changed[length] = c;
        ErrorOf(changed);
      }
    }
  }
}

}  // namespace
}  // namespace spmdc::mesh
