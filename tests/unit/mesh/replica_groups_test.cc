// Replica groups: brute-force grouping, the three spellings, and lifting back to axes.
#include "gtest/gtest.h"
#include "mesh/hlo_sharding.h"
#include "small_meshes.h"

namespace spmdc::mesh {
namespace {

using Group = llvm::SmallVector<int64_t, 8>;
using Groups = llvm::SmallVector<Group, 8>;
using test::MakeMesh;

// Devices that agree in everything the list does not say, ordered by the list's number.
Groups BruteGroups(const Mesh& mesh, const AxisList& axes) {
  std::vector<int64_t> number = test::Column(mesh, axes);
  Groups groups;
  for (int64_t i = 0; i < mesh.size(); ++i) {
    if (number[static_cast<size_t>(i)] != 0) {
      continue;
    }
    Group& group = groups.emplace_back();
    std::vector<int64_t> first = test::AxisIndices(mesh, i);
    for (int64_t want = 0; want < Product(axes); ++want) {
      for (int64_t j = 0; j < mesh.size(); ++j) {
        std::vector<int64_t> other = test::AxisIndices(mesh, j);
        for (AxisRef ref : axes) {
          auto axis = static_cast<size_t>(ref.axis);
          int64_t minor = mesh.axes[axis].size / (ref.pre * ref.size);
          other[axis] -= other[axis] / minor % ref.size * minor;
        }
        if (other == first && number[static_cast<size_t>(j)] == want) {
          group.push_back(mesh.DeviceAt(j));
        }
      }
    }
  }
  return groups;
}

Groups Parsed(llvm::StringRef text, int64_t devices) {
  Groups groups;
  size_t end = 0;
  std::optional<TextError> error = ParseReplicaGroups(text, devices, groups, end);
  EXPECT_FALSE(error.has_value()) << text.str() << ": " << (error ? error->message : "");
  EXPECT_EQ(end, text.size());
  return groups;
}

std::string ErrorOf(llvm::StringRef text, int64_t devices) {
  Groups groups;
  size_t end = 0;
  std::optional<TextError> error = ParseReplicaGroups(text, devices, groups, end);
  return error ? std::to_string(error->offset) + ": " + error->message : "no error";
}

TEST(ReplicaGroups, AllSpellingsAreTheBruteForceGroups) {
  std::mt19937 random(6);
  for (const Mesh& plain : test::SmallMeshes(12)) {
    for (bool permuted : {false, true}) {
      Mesh mesh = permuted ? test::Permuted(plain, random) : plain;
      for (const AxisList& axes : test::AllLists(mesh, 2)) {
        Groups expected = BruteGroups(mesh, axes);
        ASSERT_EQ(ExpandGroups(mesh, axes), expected) << Describe(mesh) << " " << ToString(mesh, axes);
        for (GroupForm form : {GroupForm::Auto, GroupForm::List, GroupForm::Iota, GroupForm::Mesh}) {
          std::string text = ReplicaGroups(mesh, axes, form);
          ASSERT_EQ(Parsed(text, mesh.size()), expected) << text;
        }
        std::optional<AxisList> lifted = LiftGroups(mesh, expected);
        ASSERT_TRUE(lifted.has_value()) << Describe(mesh) << " " << ToString(mesh, axes);
        ASSERT_EQ(ExpandGroups(mesh, *lifted), expected);
      }
    }
  }
}

TEST(ReplicaGroups, Texts) {
  Mesh mesh = MakeMesh({4, 2});
  AxisList a = {Whole(mesh, 0)};
  AxisList b = {Whole(mesh, 1)};
  AxisList ba = {Whole(mesh, 1), Whole(mesh, 0)};
  EXPECT_EQ(ReplicaGroups(mesh, b, GroupForm::Auto), "{{0,1},{2,3},{4,5},{6,7}}");
  EXPECT_EQ(ReplicaGroups(mesh, b, GroupForm::Iota), "[4,2]<=[8]");
  EXPECT_EQ(ReplicaGroups(mesh, a, GroupForm::Auto), "{{0,2,4,6},{1,3,5,7}}");
  EXPECT_EQ(ReplicaGroups(mesh, a, GroupForm::Iota), "[2,4]<=[4,2]T(1,0)");
  EXPECT_EQ(ReplicaGroups(mesh, a, GroupForm::Mesh), "mesh['a'=4,'b'=2] {'a'}");
  EXPECT_EQ(ReplicaGroups(mesh, ba, GroupForm::List), "{{0,2,4,6,1,3,5,7}}");
  EXPECT_EQ(ReplicaGroups(mesh, {}, GroupForm::Iota), "[8,1]<=[8]");
  EXPECT_EQ(ReplicaGroups(mesh, {AxisRef{0, 2, 2}}, GroupForm::Mesh), "mesh['a'=4,'b'=2] {'a':(2)2}");
  EXPECT_EQ(ReplicaGroups(mesh, {AxisRef{0, 2, 2}}, GroupForm::List), "{{0,2},{1,3},{4,6},{5,7}}");
}

TEST(ReplicaGroups, AutoListsUpTo32Devices) {
  Mesh small = MakeMesh({16, 2});
  Mesh large = MakeMesh({17, 2});
  Mesh huge = MakeMesh({1 << 20, 1 << 10});
  EXPECT_EQ(ReplicaGroups(small, {Whole(small, 1)}, GroupForm::Auto).substr(0, 6), "{{0,1}");
  EXPECT_EQ(ReplicaGroups(large, {Whole(large, 1)}, GroupForm::Auto), "[17,2]<=[34]");
  EXPECT_EQ(ReplicaGroups(huge, {Whole(huge, 0)}, GroupForm::Auto), "[1024,1048576]<=[1048576,1024]T(1,0)");
  std::mt19937 random(7);
  Mesh permuted = test::Permuted(large, random);
  EXPECT_EQ(ReplicaGroups(permuted, {Whole(large, 1)}, GroupForm::Auto).substr(0, 2), "{{");
}

TEST(ReplicaGroups, PermutedMeshes) {
  Mesh mesh = MakeMesh({2, 2});
  mesh.device_ids = {0, 2, 1, 3};
  EXPECT_EQ(ReplicaGroups(mesh, {Whole(mesh, 0)}, GroupForm::Iota), "[2,2]<=[4]");
  EXPECT_EQ(ReplicaGroups(mesh, {Whole(mesh, 0)}, GroupForm::Mesh),
            "mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'a'}");
  mesh.device_ids = {0, 1, 3, 2};
  EXPECT_EQ(ReplicaGroups(mesh, {Whole(mesh, 1)}, GroupForm::Iota), "{{0,1},{3,2}}");
  EXPECT_EQ(ReplicaGroups(mesh, {Whole(mesh, 1)}, GroupForm::Mesh), "mesh['a'=2,'b'=2], device_ids=(0,1,3,2) {'b'}");
}

TEST(ReplicaGroups, LiftingTakesTheGroupsInAnyOrderAndRefusesOthers) {
  Mesh mesh = MakeMesh({2, 4});
  auto lift = [&mesh](llvm::StringRef text) { return LiftGroups(mesh, Parsed(text, 8)); };
  EXPECT_EQ(lift("{{4,5,6,7},{0,1,2,3}}"), AxisList({{1, 1, 4}}));
  EXPECT_EQ(lift("{{0,1},{2,3},{4,5},{6,7}}"), AxisList({{1, 2, 2}}));
  EXPECT_EQ(lift("{}"), AxisList({{0, 1, 2}, {1, 1, 4}}));
  EXPECT_EQ(lift("{{0},{1},{2},{3},{4},{5},{6},{7}}"), AxisList());
  EXPECT_EQ(lift("{{1,0},{3,2},{5,4},{7,6}}"), std::nullopt);
  EXPECT_EQ(lift("{{0,1},{2,3}}"), std::nullopt);
  EXPECT_EQ(lift("{{0,1,2},{3,4,5}}"), std::nullopt);
  EXPECT_EQ(lift("{{0,1},{2,4},{3,5},{6,7}}"), std::nullopt);
}

TEST(ReplicaGroups, RefusedAtTheToken) {
  EXPECT_EQ(ErrorOf("{{0,1},{1,2}}", 4), "7: device 1 is in the replica groups twice");
  EXPECT_EQ(ErrorOf("{{0,9}}", 4), "1: device 9 of a replica group, but there are 4 devices");
  EXPECT_EQ(ErrorOf("[2,2]<=[16]", 4), "7: groups cover 4 ids, iota has 16");
  EXPECT_EQ(ErrorOf("[2,2]<=[4]", 8), "7: the replica groups list 4 devices, but there are 8 devices");
  EXPECT_EQ(ErrorOf("[4]<=[4]", 4), "1: expected [number of groups, size of a group]");
  EXPECT_EQ(ErrorOf("mesh['a'=2] {'a'}", 4), "4: the mesh has 2 devices, but there are 4 devices");
  EXPECT_EQ(ErrorOf("mesh['a'=4] {'b'}", 4), "13: axis 'b' is not in the mesh a=4");
  EXPECT_EQ(ErrorOf("0,1", 4), "0: expected replica groups, found '0'");
}

TEST(ReplicaGroups, EveryChangedByteIsRefusedOrRead) {
  for (llvm::StringRef text :
       {"{{0,1},{2,3}}", "[2,2]<=[2,2]T(1,0)", "mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'a':(1)2}"}) {
    for (size_t at = 0; at < text.size(); ++at) {
      ErrorOf(text.take_front(at), 4);
      for (char c : {'{', '}', '[', '9', '0', ',', '\'', '=', ' '}) {
        std::string changed = text.str();
        changed[at] = c;
        ErrorOf(changed, 4);
      }
    }
  }
}

}  // namespace
}  // namespace spmdc::mesh
