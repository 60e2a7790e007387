// Lowering, held to the global program: every op of these families on small meshes, even and uneven blocks, junk in the
// padding. Each test partitions a planned program of a few instructions and runs all devices.
#include <gtest/gtest.h>

#include "bench.h"
#include "ops/collective.h"
#include "ops/gather.h"
#include "ops/sharding.h"
#include "ops/slice.h"
#include "partition/partition.h"

namespace spmdc::ops::test {
namespace {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;
using tensor::Literal;

constexpr std::pair<llvm::StringRef, int64_t> kTwoByThree[] = {{"x", 2}, {"y", 3}};
constexpr std::pair<llvm::StringRef, int64_t> kFour[] = {{"x", 4}};

// One reshard of an s32 array.
struct Step {
  Dims dims;
  std::vector<llvm::StringRef> from, to;
  ReshardAttrs attrs;
};

std::string RunStep(Bench& bench, const Step& step, llvm::StringRef axes) {
  std::mt19937 random(7);
  ir::ValueId x = bench.Arg(DType::S32, step.dims, bench.Sharded(step.from));
  ReshardAttrs attrs = step.attrs;
  attrs.axes = bench.Axes(axes);
  bench.Result(bench.Place(bench.Add(OpKind::Reshard, {x}, attrs), bench.Sharded(step.to)));
  return ComparePartitioned(bench, {Random(random, DType::S32, step.dims, -50, 50)});
}

TEST(Reshard, SliceKeepsTheOwnPart) {
  for (int64_t n : {6, 5, 4, 1}) {
    Bench bench(kTwoByThree);
    EXPECT_EQ(RunStep(bench, {{n, 2}, {"", ""}, {"y", ""}, {Move::Slice, 0, 0, {}}}, "y"), "") << n;
  }
  Bench nested(kTwoByThree);
  EXPECT_EQ(RunStep(nested, {{2, 12}, {"", "x"}, {"", "x,y"}, {Move::Slice, 1, 0, {}}}, "y"), "");
}

TEST(Reshard, AllGatherJoinsBlocksInOrder) {
  for (int64_t n : {6, 7, 2}) {
    Bench bench(kTwoByThree);
    EXPECT_EQ(RunStep(bench, {{2, n}, {"", "y,x"}, {"", ""}, {Move::AllGather, 1, 0, {}}}, "y,x"), "") << n;
  }
  Bench nested(kTwoByThree);
  EXPECT_EQ(RunStep(nested, {{12}, {"y,x"}, {"y"}, {Move::AllGather, 0, 0, {}}}, "x"), "");
}

TEST(Reshard, AllToAllMovesMinorDigits) {
  for (Dims dims : {Dims{6, 6}, Dims{5, 7}, Dims{2, 3}, Dims{3, 1}}) {
    Bench there(kTwoByThree), back(kTwoByThree);
    EXPECT_EQ(RunStep(there, {dims, {"y", ""}, {"", "y"}, {Move::AllToAll, 0, 1, {}}}, "y"), "") << dims[0];
    EXPECT_EQ(RunStep(back, {dims, {"", "y"}, {"y", ""}, {Move::AllToAll, 1, 0, {}}}, "y"), "") << dims[0];
  }
  Bench minor(kTwoByThree);
  EXPECT_EQ(RunStep(minor, {{12, 3, 6}, {"y,x", "", ""}, {"y", "", "x"}, {Move::AllToAll, 0, 2, {}}}, "x"), "");
  Bench both(kTwoByThree);
  EXPECT_EQ(RunStep(both, {{6, 5, 12}, {"", "", "x,y"}, {"x,y", "", ""}, {Move::AllToAll, 2, 0, {}}}, "x,y"), "");
}

TEST(Reshard, PermuteGivesBlocksToOtherDevices) {
  constexpr std::pair<llvm::StringRef, int64_t> kCube[] = {{"x", 2}, {"y", 2}, {"z", 2}};
  Bench other_axis(kCube), order(kCube), swap(kCube);
  EXPECT_EQ(RunStep(other_axis, {{5}, {"x"}, {"z"}, {Move::Permute, 0, 0, {}}}, ""), "");
  EXPECT_EQ(RunStep(order, {{9}, {"x,z"}, {"z,x"}, {Move::Permute, 0, 0, {}}}, ""), "");
  EXPECT_EQ(RunStep(swap, {{4, 6}, {"x", "y"}, {"y", "x"}, {Move::Permute, 0, 0, {}}}, ""), "");
}

TEST(Reshard, PermuteBetweenDeviceOrders) {
  std::mt19937 random(3);
  Bench bench(kFour);
  mesh::Mesh shuffled = bench.tables->meshes[bench.mesh_id];
  shuffled.device_ids = {2, 0, 3, 1};
  mesh::Sharding from = bench.Sharded({"x"}), to = from;
  to.mesh = bench.tables->meshes.Intern(shuffled);
  ir::ValueId x = bench.Arg(DType::S32, {7}, from);
  bench.Result(bench.Place(bench.Add(OpKind::Reshard, {x}, ReshardAttrs{Move::Permute, 0, 0, {}}), to));
  EXPECT_EQ(ComparePartitioned(bench, {Random(random, DType::S32, {7}, 0, 9)}), "");
}

// A device order that is not 0, 1, 2, ... decides who holds which block.
TEST(Reshard, MovesOnAShuffledMesh) {
  mesh::Mesh mesh = Bench::MakeMesh(kTwoByThree);
  mesh.device_ids = {3, 5, 1, 0, 4, 2};
  Bench slice(mesh), gather(mesh), exchange(mesh);
  EXPECT_EQ(RunStep(slice, {{7}, {""}, {"y"}, {Move::Slice, 0, 0, {}}}, "y"), "");
  EXPECT_EQ(RunStep(gather, {{7}, {"y"}, {""}, {Move::AllGather, 0, 0, {}}}, "y"), "");
  EXPECT_EQ(RunStep(exchange, {{7, 4}, {"y", ""}, {"", "y"}, {Move::AllToAll, 0, 1, {}}}, "y"), "");
}

// x -> partial over axes -> reduced: the sum is x again, whatever the moves.
std::string PartialAndBack(mesh::Monoid monoid, const Dims& dims, Move back, llvm::StringRef to_dim0) {
  std::mt19937 random(5);
  Bench bench(kTwoByThree);
  ir::ValueId x = bench.Arg(DType::S32, dims, bench.Sharded({"", "x"}));
  ReshardAttrs attrs{Move::ToPartial, 0, 0, bench.Axes("y")};
  ir::ValueId partial = bench.Place(bench.Add(OpKind::Reshard, {x}, attrs), bench.Sharded({"", "x"}, "y", monoid));
  attrs.move = back;
  bench.Result(bench.Place(bench.Add(OpKind::Reshard, {partial}, attrs), bench.Sharded({to_dim0, "x"})));
  return ComparePartitioned(bench, {Random(random, DType::S32, dims, -9, 9)});
}

TEST(Reshard, PartialSumsAreReducedOnce) {
  for (mesh::Monoid monoid : {mesh::Monoid::Sum, mesh::Monoid::Product, mesh::Monoid::Min, mesh::Monoid::Max,
                              mesh::Monoid::And, mesh::Monoid::Or, mesh::Monoid::Xor}) {
    EXPECT_EQ(PartialAndBack(monoid, {3, 5}, Move::AllReduce, ""), "") << mesh::Name(monoid).str();
    EXPECT_EQ(PartialAndBack(monoid, {7, 4}, Move::ReduceScatter, "y"), "") << mesh::Name(monoid).str();
  }
}

TEST(Slice, WholeDimsMayBeSharded) {
  std::mt19937 random(1);
  Bench bench(kTwoByThree);
  ir::ValueId x = bench.Arg(DType::S32, {7, 10}, bench.Sharded({"y", ""}));
  ir::ValueId y =
      bench.Place(bench.Add(OpKind::Slice, {x}, SliceAttrs{{0, 1}, {7, 9}, {1, 3}}), bench.Sharded({"y", ""}));
  ir::ValueId zero = bench.Arg(DType::S32, {}, bench.Sharded({}));
  ir::ValueId padded =
      bench.Place(bench.Add(OpKind::Pad, {y, zero}, PadAttrs{{0, -1}, {0, 2}, {0, 1}}), bench.Sharded({"y", ""}));
  ir::ValueId joined =
      bench.Place(bench.Add(OpKind::Concatenate, {x, padded}, ConcatenateAttrs{1}), bench.Sharded({"y", ""}));
  bench.Result(bench.Place(bench.Add(OpKind::Reverse, {joined}, ReverseAttrs{{1}}), bench.Sharded({"y", ""})));
  EXPECT_EQ(
      ComparePartitioned(bench, {Random(random, DType::S32, {7, 10}, 0, 99), Literal::Integer(DType::S32, {}, 5)}), "");
}

// --- dynamic slices ---

// x[s0:s0+u0, s1:s1+u1] with both dims sharded.
std::string RunDynamicSlice(const Dims& dims, const Dims& sizes, int64_t s0, int64_t s1, DType index) {
  std::mt19937 random(11);
  Bench bench(kTwoByThree);
  ir::ValueId x = bench.Arg(DType::F32, dims, bench.Sharded({"x", "y"}));
  ir::ValueId i = bench.Arg(index, {}, bench.Sharded({})), j = bench.Arg(index, {}, bench.Sharded({}));
  bool whole0 = dims[0] == sizes[0], whole1 = dims[1] == sizes[1];
  mesh::Sharding partial = bench.Sharded({whole0 ? "x" : "", whole1 ? "y" : ""}, whole0   ? (whole1 ? "" : "y")
                                                                                 : whole1 ? "x"
                                                                                          : "x,y");
  ir::ValueId y = bench.Place(bench.Add(OpKind::DynamicSlice, {x, i, j}, DynamicSliceAttrs{sizes}), partial);
  if (!partial.unreduced.empty()) {
    mesh::Sharding whole = partial;
    whole.unreduced.clear();
    y = bench.Place(bench.Add(OpKind::Reshard, {y}, ReshardAttrs{Move::AllReduce, 0, 0, partial.unreduced}), whole);
  }
  bench.Result(y);
  return ComparePartitioned(bench, {Random(random, DType::F32, dims, -9, 9), Literal::Integer(index, {}, s0),
                                    Literal::Integer(index, {}, s1)});
}

TEST(DynamicSlice, EveryStartAndSize) {
  for (int64_t u0 : {1, 2, 5, 6}) {
    for (int64_t u1 : {1, 3, 7}) {
      for (int64_t s0 : {-3, 0, 1, 3, 5, 9}) {
        for (int64_t s1 : {-1, 0, 2, 4, 6, 8}) {
          EXPECT_EQ(RunDynamicSlice({6, 7}, {u0, u1}, s0, s1, DType::S32), "") << u0 << u1 << s0 << s1;
        }
      }
    }
  }
  EXPECT_EQ(RunDynamicSlice({6, 7}, {2, 2}, 200, 3, DType::U8), "");
  EXPECT_EQ(RunDynamicSlice({6, 7}, {2, 2}, 4000000000, 3, DType::U32), "");
  EXPECT_EQ(RunDynamicSlice({6, 7}, {2, 1}, int64_t{1} << 40, -(int64_t{1} << 40), DType::S64), "");
  EXPECT_EQ(RunDynamicSlice({300, 7}, {2, 1}, 127, 3, DType::S8), "");
}

std::string RunUpdate(const Dims& dims, const Dims& sizes, int64_t s0, int64_t s1, DType index) {
  std::mt19937 random(13);
  Bench bench(kTwoByThree);
  auto placed = bench.Sharded({"x", "y"});
  ir::ValueId x = bench.Arg(DType::F32, dims, placed);
  ir::ValueId u =
      bench.Arg(DType::F32, sizes, bench.Sharded({dims[0] == sizes[0] ? "x" : "", dims[1] == sizes[1] ? "y" : ""}));
  ir::ValueId i = bench.Arg(index, {}, bench.Sharded({})), j = bench.Arg(index, {}, bench.Sharded({}));
  bench.Result(bench.Place(bench.builder.Add1(OpKind::DynamicUpdateSlice, {x, u, i, j}), placed));
  return ComparePartitioned(bench, {Random(random, DType::F32, dims, -9, 9), Random(random, DType::F32, sizes, 20, 30),
                                    Literal::Integer(index, {}, s0), Literal::Integer(index, {}, s1)});
}

TEST(DynamicUpdateSlice, EveryStartAndSize) {
  for (int64_t u0 : {1, 2, 5, 6}) {
    for (int64_t u1 : {1, 3, 7}) {
      for (int64_t s0 : {-3, 0, 1, 3, 5, 9}) {
        for (int64_t s1 : {-1, 0, 2, 4, 6, 8}) {
          EXPECT_EQ(RunUpdate({6, 7}, {u0, u1}, s0, s1, DType::S32), "") << u0 << u1 << s0 << s1;
        }
      }
    }
  }
  EXPECT_EQ(RunUpdate({6, 7}, {2, 2}, 4000000000, 3, DType::U32), "");
  EXPECT_EQ(RunUpdate({6, 7}, {2, 1}, int64_t{1} << 40, 3, DType::S64), "");
}

// A start behind the end is clamped before anybody asks whose block it is in: otherwise nobody writes.
TEST(DynamicUpdateSlice, OwnerIsDecidedFromTheClampedStart) {
  Bench bench(kFour);
  auto placed = bench.Sharded({"", "x"});
  ir::ValueId x = bench.Arg(DType::S32, {2, 4}, placed), u = bench.Arg(DType::S32, {2, 1}, bench.Sharded({"", ""}));
  ir::ValueId i = bench.Arg(DType::S32, {}, bench.Sharded({})), j = bench.Arg(DType::S32, {}, bench.Sharded({}));
  bench.Result(bench.Place(bench.builder.Add1(OpKind::DynamicUpdateSlice, {x, u, i, j}), placed));
  Literal zero = Literal::Integer(DType::S32, {}, 0), far = Literal::Integer(DType::S32, {}, 4);
  Literal update = Literal::Integer(DType::S32, {2, 1}, 50).Materialize();
  Literal array = Literal(DType::S32, {2, 4});
  EXPECT_EQ(ComparePartitioned(bench, {array, update, zero, far}), "");
  EXPECT_EQ(Evaluate(bench.module, bench.main, {array, update, zero, far})[0].GetInt(3), 50);
}

// --- gather and scatter ---

// rows = table[ids] with the table split by rows and by columns.
TEST(Gather, TableSplitByRowsAndColumns) {
  std::mt19937 random(17);
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{6, 6}, {7, 4}, {2, 1}, {11, 5}}) {
    Bench bench(kTwoByThree);
    ir::ValueId table = bench.Arg(DType::F32, {rows, columns}, bench.Sharded({"y", "x"}));
    ir::ValueId ids = bench.Arg(DType::S32, {4, 1}, bench.Sharded({"", ""}));
    GatherAttrs attrs;
    attrs.offset_dims = {1};
    attrs.collapsed_slice_dims = attrs.start_index_map = {0};
    attrs.index_vector_dim = 1;
    attrs.slice_sizes = {1, columns};
    ir::ValueId y = bench.Place(bench.Add(OpKind::Gather, {table, ids}, attrs), bench.Sharded({"", "x"}, "y"));
    bench.Result(bench.Place(bench.Add(OpKind::Reshard, {y}, ReshardAttrs{Move::AllReduce, 0, 0, bench.Axes("y")}),
                             bench.Sharded({"", "x"})));
    EXPECT_EQ(ComparePartitioned(bench, {Random(random, DType::F32, {rows, columns}, 1, 50),
                                         Random(random, DType::S32, {4, 1}, -3, rows + 3)}),
              "")
        << rows;
  }
}

// A batched gather of single elements at two coordinates, both dims split; the indices' batch is split too.
TEST(Gather, BatchAndTwoSplitCoordinates) {
  std::mt19937 random(19);
  for (bool vector_first : {false, true}) {
    constexpr std::pair<llvm::StringRef, int64_t> kCube[] = {{"b", 2}, {"x", 2}, {"y", 2}};
    Bench bench(kCube);
    ir::ValueId x = bench.Arg(DType::S32, {4, 5, 7, 3}, bench.Sharded({"b", "x", "y", ""}));
    Dims index_dims = vector_first ? Dims{2, 4, 6} : Dims{4, 6, 2};
    ir::ValueId ids =
        bench.Arg(DType::S32, index_dims, vector_first ? bench.Sharded({"", "b", ""}) : bench.Sharded({"b", "", ""}));
    GatherAttrs attrs;
    attrs.offset_dims = {1, 3};
    attrs.collapsed_slice_dims = {1};
    attrs.start_index_map = {2, 1};
    attrs.operand_batching_dims = {0};
    attrs.start_indices_batching_dims = {vector_first ? 1 : 0};
    attrs.index_vector_dim = vector_first ? 0 : 2;
    attrs.slice_sizes = {1, 1, 1, 3};
    auto placed = bench.Sharded({"b", "", "", ""}, "x,y"), whole = bench.Sharded({"b", "", "", ""});
    ir::ValueId y = bench.Place(bench.Add(OpKind::Gather, {x, ids}, attrs), placed);
    EXPECT_EQ(bench.Show(y), "s32[4,1,6,3]");
    bench.Result(
        bench.Place(bench.Add(OpKind::Reshard, {y}, ReshardAttrs{Move::AllReduce, 0, 0, bench.Axes("x,y")}), whole));
    EXPECT_EQ(ComparePartitioned(bench, {Random(random, DType::S32, {4, 5, 7, 3}, 1, 90),
                                         Random(random, DType::S32, index_dims, -2, 9)}),
              "");
  }
}

struct ScatterCase {
  OpKind combine;
  mesh::Monoid monoid;
  DType index;
};

// table.at[ids].add(updates): rows split over y, columns over x; updates and ids split over z or not.
std::string RunScatter(const ScatterCase& c, bool split_updates, int64_t rows, int64_t count) {
  std::mt19937 random(23);
  constexpr std::pair<llvm::StringRef, int64_t> kMesh[] = {{"x", 2}, {"y", 3}, {"z", 2}};
  Bench bench(kMesh);
  llvm::StringRef z = split_updates ? "z" : "";
  ir::ValueId table = bench.Arg(DType::S32, {rows, 4}, bench.Sharded({"y", "x"}));
  ir::ValueId ids = bench.Arg(c.index, {count, 1}, bench.Sharded({z, ""}));
  ir::ValueId updates = bench.Arg(DType::S32, {count, 4}, bench.Sharded({z, "x"}));
  ScatterAttrs attrs;
  attrs.update_window_dims = {1};
  attrs.inserted_window_dims = attrs.scatter_dims_to_operand_dims = {0};
  attrs.index_vector_dim = 1;
  ir::FuncId body = bench.Body(c.combine, DType::S32);
  ir::ValueId y = bench.Place(bench.Add(OpKind::Scatter, {table, ids, updates}, attrs, {body}),
                              bench.Sharded({"y", "x"}, z, c.monoid));
  if (split_updates) {
    y = bench.Place(bench.Add(OpKind::Reshard, {y}, ReshardAttrs{Move::AllReduce, 0, 0, bench.Axes("z")}),
                    bench.Sharded({"y", "x"}));
  }
  bench.Result(y);
  int64_t low = c.index == DType::U8 ? 0 : -4;
  return ComparePartitioned(
      bench, {Random(random, DType::S32, {rows, 4}, -9, 9), Random(random, c.index, {count, 1}, low, rows + 4),
              Random(random, DType::S32, {count, 4}, -9, 9)});
}

TEST(Scatter, RowsColumnsAndUpdatesSplit) {
  const ScatterCase cases[] = {{OpKind::Add, mesh::Monoid::Sum, DType::S32},
                               {OpKind::Maximum, mesh::Monoid::Max, DType::S64},
                               {OpKind::Minimum, mesh::Monoid::Min, DType::U8},
                               {OpKind::Multiply, mesh::Monoid::Product, DType::S8}};
  for (const ScatterCase& c : cases) {
    for (bool split : {false, true}) {
      for (int64_t rows : {6, 7, 2}) {
        EXPECT_EQ(RunScatter(c, split, rows, 5), "") << static_cast<int>(c.monoid) << split << rows;
      }
    }
  }
  EXPECT_EQ(RunScatter({OpKind::Opaque, mesh::Monoid::Sum, DType::S32}, false, 7, 1), "");
}

// --- collectives of the user's own ---

TEST(Collectives, AllToAllBetweenTwoDims) {
  for (auto [split, concat] : {std::pair<int64_t, int64_t>{0, 1}, {1, 0}, {2, 0}, {1, 2}, {1, 1}}) {
    std::mt19937 random(29);
    Bench bench(kFour);
    ir::ValueId x = bench.Arg(DType::S32, {4, 4, 8}, bench.Sharded({"", "", ""}));
    CollectiveAttrs attrs;
    attrs.groups.mesh = bench.mesh_id;
    attrs.groups.axes = bench.Axes("x");
    attrs.dim = split;
    attrs.concat_dim = concat;
    ir::ValueId y = bench.Add(OpKind::AllToAll, {x}, attrs);
    bench.Place(y, bench.Sharded({"", "", ""}));
    bench.Result(y);
    auto out = partition::Partition(bench.module, bench.diags);
    ASSERT_TRUE(out.has_value()) << bench.FirstError();
    std::vector<Values> args, expected;
    std::vector<const Literal*> operands;
    for (int d = 0; d < 4; ++d) {
      args.push_back({Random(random, DType::S32, {4, 4, 8}, 0, 999)});
    }
    for (const Values& a : args) {
      operands.push_back(&a[0]);
    }
    const ir::Inst& inst = *bench.function().insts.begin();
    auto want = EvalCollective(op::Def(OpKind::AllToAll).collective(bench.module, bench.function(), inst), operands);
    std::vector<Values> got = EvaluateDevices(*out, args);
    for (size_t d = 0; d < 4; ++d) {
      EXPECT_EQ(got[d][0], want[d]) << split << concat << d;
    }
    for (const ir::Inst& made : out->functions[out->entry].insts) {
      if (made.op == OpKind::AllToAll) {
        EXPECT_EQ(out->attrs<CollectiveAttrs>(made).dim, out->attrs<CollectiveAttrs>(made).concat_dim);
      }
    }
  }
}

}  // namespace
}  // namespace spmdc::ops::test
