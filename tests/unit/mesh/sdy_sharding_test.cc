// Shardy's texts: round trips on all small meshes, every mark, and refusals at their token.
#include "mesh/sdy_sharding.h"

#include "gtest/gtest.h"
#include "small_meshes.h"

namespace spmdc::mesh {
namespace {

using test::MakeMesh;

// Reads against one mesh called "mesh"; inline meshes go to a table behind it.
class Reader {
 public:
  explicit Reader(const Mesh& mesh) { meshes_.Intern(mesh); }

  std::string Read(llvm::StringRef text, Sharding& sharding) {
    size_t end = 0;
    std::string error = ReadAny(text, sharding, &end);
    EXPECT_TRUE(!error.empty() || end == text.size());
    return error;
  }
  std::string ReadAny(llvm::StringRef text, Sharding& sharding, size_t* stopped = nullptr) {
    size_t end = 0;
    auto lookup = [](llvm::StringRef name) { return name == "mesh" ? std::optional<MeshId>(MeshId{0}) : std::nullopt; };
    auto intern = [this](Mesh mesh) { return meshes_.Intern(mesh); };
    auto mesh_of = [this](MeshId id) -> const Mesh& { return meshes_[id]; };
    std::optional<TextError> error = ParseSdySharding(text, lookup, intern, mesh_of, sharding, end);
    if (stopped != nullptr) {
      *stopped = end;
    }
    return error ? std::to_string(error->offset) + ": " + error->message : "";
  }
  const Mesh& mesh(MeshId id) const { return meshes_[id]; }

 private:
  MeshTable meshes_;
};

TEST(Sdy, ShardingsRoundTrip) {
  std::mt19937 random(8);
  for (const Mesh& mesh : test::SmallMeshes(24)) {
    Reader reader(mesh);
    for (int round = 0; round < 20; ++round) {
      Sharding sharding = test::RandomSharding(mesh, 3, random, true);
      sharding.dims[0].open = random() % 2 == 0;
      sharding.dims[1].open = random() % 2 == 0;
      sharding.dims[1].priority = sharding.dims[1].open ? static_cast<int32_t>(random() % 3) : 0;
      sharding.unreduced_kind = sharding.unreduced.empty() || round % 2 == 0 ? Monoid::Sum : Monoid::Min;
      Sharding again;
      ASSERT_EQ(reader.Read(ToSdy(mesh, sharding), again), "") << ToSdy(mesh, sharding);
      ASSERT_EQ(again, sharding) << ToSdy(mesh, sharding);
    }
  }
}

TEST(Sdy, EveryMark) {
  Reader reader(MakeMesh({2, 4, 3, 1}));
  for (llvm::StringRef text :
       {"<@mesh, []>", "<@mesh, [{\"a\"}, {\"b\":(1)2, ?}p1], replicated={\"c\"}, unreduced={\"b\":(2)2}>",
        "<@mesh, [{?}, {\"c\", \"a\"}], unreduced=max{\"b\"}>", "<@mesh, [{\"a\", \"d\"}, {?}p3]>"}) {
    Sharding sharding;
    ASSERT_EQ(reader.Read(text, sharding), "");
    EXPECT_EQ(ToSdy(reader.mesh(sharding.mesh), sharding), text);
  }
  Sharding sharding;
  ASSERT_EQ(
      reader.Read("#sdy.sharding<@mesh, [{\"b\":(1)2, \"b\":(2)2}], unreduced={\"a\"}, replicated={\"c\"}>", sharding),
      "");
  EXPECT_EQ(ToSdy(reader.mesh(sharding.mesh), sharding), "<@mesh, [{\"b\"}], replicated={\"c\"}, unreduced={\"a\"}>");
  ASSERT_EQ(reader.Read("<mesh<[\"x\"=2, \"y\"=2], device_ids=[1, 0, 2, 3]>, [{\"x\"}]>", sharding), "");
  EXPECT_EQ(Describe(reader.mesh(sharding.mesh)), "x=2 x y=2");
}

TEST(Sdy, ShardingsRefusedAtTheToken) {
  Reader reader(MakeMesh({2, 6}));
  auto error = [&reader](llvm::StringRef text) {
    Sharding sharding;
    return reader.Read(text, sharding);
  };
  EXPECT_EQ(error("<@m, [{}]>"), "1: there is no mesh '@m'");
  EXPECT_EQ(error("<@mesh, [{\"z\"}]>"), "10: axis 'z' is not in the mesh a=2 x b=6");
  EXPECT_EQ(error("<@mesh, [{\"a\"}, {\"a\"}]>"), "17: axis 'a' is used twice");
  EXPECT_EQ(error("<@mesh, [{\"b\":(4)2}]>"), "10: sub-axis 'b':(4)2 is no digit of an axis of size 6");
  EXPECT_EQ(error("<@mesh, [{\"b\":(1)2}, {\"b\":(3)2}]>"),
            "0: `b:(1)2` and `b:(3)2` are not digits of one split of their axis");
  EXPECT_EQ(error("<@mesh, [{}p1]>"), "12: a closed dim without axes has no priority");
  EXPECT_EQ(error("<@mesh, [{\"a\"]>"), "13: expected '}', found ']'");
  EXPECT_EQ(error("<@mesh, [], foo={\"a\"}>"), "12: expected replicated or unreduced, found 'foo'");
  EXPECT_EQ(error("<@mesh, [{\"a}]>"), "10: the quote of an axis name does not end");
  EXPECT_EQ(error("<@mesh"), "6: expected ',', found the end of the text");
}

TEST(Sdy, EveryChangedByteIsRefusedOrRead) {
  Reader reader(MakeMesh({2, 4, 3}));
  for (llvm::StringRef text : {"<@mesh, [{\"a\"}, {\"b\":(1)2, ?}p1], replicated={\"c\"}, unreduced=max{\"b\":(2)2}>",
                               "<mesh<[\"x\"=2, \"y\"=2], device_ids=[1, 0, 2, 3]>, [{\"x\"}]>"}) {
    Sharding sharding;
    for (size_t at = 0; at < text.size(); ++at) {
      EXPECT_NE(reader.Read(text.take_front(at), sharding), "") << text.take_front(at).str();
      for (char c : {'{', '}', '[', '9', '0', ',', '"', '=', ' ', '<'}) {
        std::string changed = text.str();
        changed[at] = c;
        reader.ReadAny(changed, sharding);
      }
    }
  }
}

TEST(Sdy, MeshesRoundTrip) {
  std::mt19937 random(9);
  auto read = [](llvm::StringRef text, Mesh& mesh) {
    size_t end = 0;
    std::optional<TextError> error = ParseSdyMesh(text, mesh, end);
    return error ? std::to_string(error->offset) + ": " + error->message : "";
  };
  for (const Mesh& plain : test::SmallMeshes(24)) {
    for (Mesh mesh : {plain, test::Permuted(plain, random)}) {
      Mesh again;
      again.name = mesh.name;
      ASSERT_EQ(read(ToSdyMesh(mesh), again), "");
      ASSERT_EQ(again, mesh) << ToSdyMesh(mesh);
    }
  }
  Mesh maximal;
  EXPECT_EQ(read("<[], device_ids=[3]>", maximal), "");
  EXPECT_TRUE(maximal.maximal);
  EXPECT_EQ(ToSdyMesh(maximal), "<[], device_ids=[3]>");
  Mesh empty;
  EXPECT_EQ(read("<[]>", empty), "");
  EXPECT_EQ(ToSdyMesh(empty), "<[]>");
  Mesh bad;
  EXPECT_EQ(read("<[\"a\"=2, \"a\"=2]>", bad), "9: axis 'a' is in the mesh twice");
  bad = Mesh();
  EXPECT_EQ(read("<[\"a\"=2], device_ids=[0, 0]>", bad), "22: device_ids must list each of 0 to 1 once");
  bad = Mesh();
  EXPECT_EQ(read("<[\"a\"=0]>", bad), "6: an axis size must be at least 1, got 0");
  bad = Mesh();
  EXPECT_EQ(read("<[\"a\"=4294967296, \"b\"=4294967296]>", bad), "18: the mesh is too large");
}

TEST(Sdy, NamesThatAreNoIdentifiersStandInQuotes) {
  Mesh mesh = MakeMesh({2});
  mesh.name = "my mesh";
  EXPECT_EQ(ToSdy(mesh, Replicated(MeshId{0}, 1)), "<@\"my mesh\", [{}]>");
}

}  // namespace
}  // namespace spmdc::mesh
