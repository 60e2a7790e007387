// Paths between shardings: the moves that are expected, and properties over all small pairs.
#include "plan/reshard.h"

#include <gtest/gtest.h>

#include "llvm/ADT/StringExtras.h"
#include "mesh/sdy_sharding.h"

namespace spmdc::plan {
namespace {

class ReshardTest : public ::testing::Test {
 protected:
  void Mesh(std::initializer_list<std::pair<const char*, int64_t>> axes) {
    mesh::Mesh mesh;
    mesh.name = "mesh";
    for (const auto& [name, size] : axes) {
      mesh.axes.push_back({name, size, mesh::AxisType::Auto});
    }
    mesh_ = tables_.meshes.Intern(mesh);
  }

  mesh::ShardingId Read(llvm::StringRef dims, llvm::StringRef unreduced = "") {
    mesh::Sharding sharding;
    size_t end = 0;
    std::string text =
        ("<@mesh, [" + dims + "]" + (unreduced.empty() ? "" : ", unreduced={" + unreduced + "}") + ">").str();
    auto wrong = mesh::ParseSdySharding(
        text, [&](llvm::StringRef) { return mesh_; }, [&](mesh::Mesh m) { return tables_.meshes.Intern(m); },
        [&](mesh::MeshId id) -> const mesh::Mesh& { return tables_.meshes[id]; }, sharding, end);
    EXPECT_FALSE(wrong) << text << ": " << (wrong ? wrong->message : "");
    return tables_.shardings.Intern(Placement(sharding));
  }

  // "all_to_all 3072" and so on, joined by "; ".
  std::string Moves(mesh::ShardingId from, mesh::ShardingId to, llvm::ArrayRef<int64_t> dims, int64_t bytes = 4) {
    const Path* path = resharder_.Find(from, to, dims, bytes);
    if (path == nullptr) {
      return "none";
    }
    constexpr const char* kNames[] = {"slice",      "all_gather",     "all_to_all", "permute",
                                      "all_reduce", "reduce_scatter", "to_partial"};
    std::vector<std::string> words;
    for (const Step& step : path->steps) {
      words.push_back(std::string(kNames[static_cast<int>(step.attrs.move)]) + " " + std::to_string(step.wire_bytes));
    }
    return llvm::join(words, "; ");
  }

  ir::Tables tables_;
  Resharder resharder_{tables_};
  mesh::MeshId mesh_;
};

TEST_F(ReshardTest, TakesTheOneMoveThatDoesIt) {
  Mesh({{"x", 4}, {"y", 2}});
  EXPECT_EQ(Moves(Read(R"({"x"}, {})"), Read(R"({"x"}, {})"), {8, 8}), "");
  EXPECT_EQ(Moves(Read(R"({}, {})"), Read(R"({"x"}, {})"), {8, 8}), "slice 0");
  EXPECT_EQ(Moves(Read(R"({"x"}, {})"), Read(R"({}, {})"), {8, 8}), "all_gather 192");
  EXPECT_EQ(Moves(Read(R"({"x"}, {})"), Read(R"({}, {"x"})"), {8, 8}), "all_to_all 48");
  EXPECT_EQ(Moves(Read(R"({}, {})", R"("x")"), Read(R"({}, {})"), {8, 8}), "all_reduce 384");
  EXPECT_EQ(Moves(Read(R"({}, {})", R"("x")"), Read(R"({"x"}, {})"), {8, 8}), "reduce_scatter 192");
  EXPECT_EQ(Moves(Read(R"({}, {})"), Read(R"({}, {})", R"("x")"), {8, 8}), "to_partial 0");
}

TEST_F(ReshardTest, OneCollectiveOverSeveralAxes) {
  Mesh({{"x", 4}, {"y", 2}});
  EXPECT_EQ(Moves(Read(R"({"x", "y"}, {})"), Read(R"({}, {})"), {8, 8}), "all_gather 224");
  EXPECT_EQ(Moves(Read(R"({}, {})", R"("x", "y")"), Read(R"({}, {})"), {8, 8}), "all_reduce 448");
}

TEST_F(ReshardTest, DroppingTheMinorAxisIsCheaperThanTheMajor) {
  Mesh({{"a", 2}, {"b", 4}});
  EXPECT_EQ(Moves(Read(R"({"a", "b"})"), Read(R"({"a"})"), {16}), "all_gather 24");
  EXPECT_EQ(Moves(Read(R"({"a", "b"})"), Read(R"({"b"})"), {16}), "permute 8; all_gather 8");
}

TEST_F(ReshardTest, OrderOfAxesIsOnePermute) {
  Mesh({{"a", 2}, {"b", 4}});
  EXPECT_EQ(Moves(Read(R"({"a", "b"})"), Read(R"({"b", "a"})"), {16}), "permute 8");
}

TEST_F(ReshardTest, AxesOfDifferentSizesChangePlaces) {
  Mesh({{"a", 2}, {"b", 4}});
  // Half of b moves to the other dim; then splits are 4 and 2 as they shall be.
  EXPECT_EQ(Moves(Read(R"({"a"}, {"b"})"), Read(R"({"b"}, {"a"})"), {8, 8}), "all_to_all 16; permute 32");
}

TEST_F(ReshardTest, APartOfAFreeAxisIsSlicedBeforeItsOtherPartArrives) {
  Mesh({{"a", 4}, {"b", 2}});
  EXPECT_EQ(Moves(Read(R"({"b"})"), Read(R"({"a"})"), {16}), "slice 0; permute 16");
  // The other way, what is too much is gathered behind the permute.
  EXPECT_EQ(Moves(Read(R"({"a"})"), Read(R"({"b"})"), {16}), "permute 16; all_gather 16");
}

TEST_F(ReshardTest, APermuteLeavesUnreducedAxesAlone) {
  Mesh({{"a", 2}, {"u", 2}, {"b", 2}});
  EXPECT_EQ(Moves(Read(R"({"b"})", R"("u")"), Read(R"({"a"})", R"("u")"), {8}), "permute 16");
}

TEST_F(ReshardTest, SumsAreReducedWhereTheyAreSmallest) {
  Mesh({{"x", 4}, {"y", 2}});
  // Slicing over y first halves what the all-reduce sends.
  EXPECT_EQ(Moves(Read(R"({}, {})", R"("x")"), Read(R"({"y"}, {})"), {8, 8}), "slice 0; all_reduce 192");
}

TEST_F(ReshardTest, UnevenBlocksThatDoNotNestGoThroughTheWholeDim) {
  Mesh({{"x", 2}, {"y", 2}});
  // 5 over 4: blocks of 2; 5 over 2: blocks of 3.
  EXPECT_EQ(Moves(Read(R"({"x", "y"})"), Read(R"({"x"})"), {5}), "all_gather 24; slice 0");
  // 6 over 4: blocks of 2, 6 over 2: blocks of 3.
  EXPECT_EQ(Moves(Read(R"({"x"})"), Read(R"({"x", "y"})"), {6}), "all_gather 12; slice 0");
  // 7 over 4: blocks of 2; 7 over 2: blocks of 4: they nest.
  EXPECT_EQ(Moves(Read(R"({"x"})"), Read(R"({"x", "y"})"), {7}), "slice 0");
}

TEST_F(ReshardTest, SubAxesAreDigits) {
  Mesh({{"x", 8}});
  EXPECT_EQ(Moves(Read(R"({"x"}, {})"), Read(R"({"x":(1)2}, {"x":(2)4})"), {8, 8}), "all_to_all 24");
  EXPECT_EQ(Moves(Read(R"({"x"}, {})"), Read(R"({"x":(1)4}, {})"), {8, 8}), "all_gather 32");
}

TEST_F(ReshardTest, SubAxesThatDoNotNestGoThroughCopies) {
  Mesh({{"x", 6}});
  EXPECT_EQ(Moves(Read(R"({"x":(1)3})"), Read(R"({"x":(2)3})"), {6}), "all_gather 16; slice 0");
}

// Every pair of shardings of a matrix over two axes: a path exists, ends at the target, never costs more than gathering
// everything, and never less than the bytes a device lacks.
TEST_F(ReshardTest, AllPairsOnASmallMesh) {
  Mesh({{"x", 2}, {"y", 3}});
  const char* all[] = {R"({}, {})",         R"({"x"}, {})",      R"({"y"}, {})",      R"({}, {"x"})",
                       R"({}, {"y"})",      R"({"x", "y"}, {})", R"({"y", "x"}, {})", R"({}, {"x", "y"})",
                       R"({}, {"y", "x"})", R"({"x"}, {"y"})",   R"({"y"}, {"x"})"};
  llvm::SmallVector<int64_t, 2> sizes[] = {{6, 6}, {12, 18}, {5, 7}, {1, 4}};
  for (const auto& dims : sizes) {
    for (const char* a : all) {
      for (const char* b : all) {
        mesh::ShardingId from = Read(a), to = Read(b);
        const Path* path = resharder_.Find(from, to, dims, 1);
        ASSERT_NE(path, nullptr) << a << " to " << b;
        mesh::ShardingId end = path->steps.empty() ? from : tables_.shardings.Intern(path->steps.back().result);
        EXPECT_EQ(end, to);
        int64_t gathered = 6 * mesh::LocalSize(dims[0], 6) * dims[1] + 6 * mesh::LocalSize(dims[1], 6) * dims[0];
        EXPECT_LE(path->wire_bytes, gathered) << a << " to " << b;
        int64_t most = 0;
        const mesh::Mesh& mesh = tables_.meshes[mesh_];
        for (int64_t p = 0; p < mesh.size(); ++p) {
          auto have = mesh::ShardRange(mesh, tables_.shardings[from], dims, p);
          auto want = mesh::ShardRange(mesh, tables_.shardings[to], dims, p);
          int64_t wanted = 1, both = 1;
          for (size_t d = 0; d < 2; ++d) {
            wanted *= want[d].second - want[d].first;
            both *=
                std::max<int64_t>(0, std::min(have[d].second, want[d].second) - std::max(have[d].first, want[d].first));
          }
          most = std::max(most, wanted - both);
        }
        EXPECT_GE(path->wire_bytes, most == 0 ? 0 : 1) << a << " to " << b;
      }
    }
  }
}

}  // namespace
}  // namespace spmdc::plan
