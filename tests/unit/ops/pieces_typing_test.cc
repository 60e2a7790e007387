// Typing, rules and sharding in types of slices, gathers, scatters, control flow and collectives.
#include <gtest/gtest.h>

#include "bench.h"
#include "ops/collective.h"
#include "ops/control.h"
#include "ops/elementwise.h"
#include "ops/gather.h"
#include "ops/sharding.h"
#include "ops/slice.h"

namespace spmdc::ops::test {
namespace {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;

constexpr std::pair<llvm::StringRef, int64_t> kAxesOfMesh[] = {{"x", 2}, {"y", 4}};

mesh::Mesh Explicit() {
  mesh::Mesh mesh = Bench::MakeMesh(kAxesOfMesh);
  for (mesh::Axis& axis : mesh.axes) {
    axis.type = mesh::AxisType::Explicit;
  }
  return mesh;
}

std::string LastRule(const Bench& bench) {
  const ir::Inst& inst = bench.function().insts[ir::InstId{static_cast<int32_t>(bench.function().insts.size()) - 1}];
  return op::ToString(op::RuleOf(bench.module, bench.function(), inst));
}

TEST(SliceTyping, BoundsAndRules) {
  Bench bench(kAxesOfMesh);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Slice, {x}, SliceAttrs{{1, 0}, {8, 4}, {3, 1}})), "f32[3,4]");
  EXPECT_EQ(LastRule(bench), "([i, j]) -> ([i, j])  i=8 piece, j=4 map");
  ir::ValueId zero = bench.Arg(DType::F32, {});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Pad, {x, zero}, PadAttrs{{-1, 0}, {1, 0}, {0, 0}})), "f32[8,4]");
  // The size is the same, the elements are not.
  EXPECT_EQ(LastRule(bench), "([i, j], []) -> ([i, j])  i=8 piece, j=4 map");
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Concatenate, {x, x}, ConcatenateAttrs{1})), "f32[8,8]");
  EXPECT_EQ(LastRule(bench), "([i, j], [i, j]) -> ([i, j])  i=8 map, j=8 piece");
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Reverse, {x}, ReverseAttrs{{1}})), "f32[8,4]");
  EXPECT_EQ(LastRule(bench), "([i, j]) -> ([i, j])  i=8 map, j=4 piece");
  EXPECT_FALSE(bench.diags.has_errors()) << bench.FirstError();
}

// Each of these is refused with the given words.
TEST(PieceTyping, Refusals) {
  struct Case {
    std::function<ir::ValueId(Bench&, ir::ValueId)> add;
    const char* words;
  };
  const Case cases[] = {
      {[](Bench& b, ir::ValueId x) {
         return b.Add(OpKind::Slice, {x}, SliceAttrs{{0, 0}, {9, 4}, {1, 1}});
       },
       "0:9:1"},
      {[](Bench& b, ir::ValueId x) {
         return b.Add(OpKind::Slice, {x}, SliceAttrs{{0}, {8}, {1}});
       },
       "has 1 entries"},
      {[](Bench& b, ir::ValueId x) {
         return b.Add(OpKind::Pad, {x, x}, PadAttrs{{0, 0}, {0, 0}, {0, 0}});
       },
       "padding value"},
      {[](Bench& b, ir::ValueId x) { return b.Add(OpKind::Concatenate, {x}, ConcatenateAttrs{2}); }, "names dim 2"},
      {[](Bench& b, ir::ValueId x) {
         return b.Add(OpKind::Concatenate, {x, b.Arg(DType::F32, {7, 4})}, ConcatenateAttrs{1});
       },
       "differ outside of dim 1"},
      {[](Bench& b, ir::ValueId x) {
         return b.Add(OpKind::Reverse, {x}, ReverseAttrs{{0, 0}});
       },
       "twice"},
      {[](Bench& b, ir::ValueId x) {
         return b.Add(OpKind::DynamicSlice, {x, x, x}, DynamicSliceAttrs{{1, 1}});
       },
       "start index 0"},
      {[](Bench& b, ir::ValueId x) {
         ir::ValueId i = b.Arg(DType::S32, {});
         return b.Add(OpKind::DynamicSlice, {x, i}, DynamicSliceAttrs{{1, 1}});
       },
       "1 start indices"},
      {[](Bench& b, ir::ValueId x) {
         ir::ValueId i = b.Arg(DType::S32, {});
         return b.builder.Add1(OpKind::DynamicUpdateSlice, {x, b.Arg(DType::F32, {9, 1}), i, i});
       },
       "does not fit into"},
      {[](Bench& b, ir::ValueId x) {
         GatherAttrs g;
         g.offset_dims = {1};
         g.collapsed_slice_dims = g.start_index_map = {0};
         g.index_vector_dim = 1;
         g.slice_sizes = {2, 4};
         return b.Add(OpKind::Gather, {x, b.Arg(DType::S32, {3, 1})}, g);
       },
       "has a window of size 2"},
      {[](Bench& b, ir::ValueId x) {
         CollectiveAttrs c;
         c.groups.lists = {{0, 1}, {1, 2}};
         return b.Add(OpKind::AllGather, {x}, c);
       },
       "in two replica groups"},
      {[](Bench& b, ir::ValueId x) {
         CollectiveAttrs c;
         c.groups.lists = {{0, 1, 2}};
         return b.Add(OpKind::AllToAll, {x}, c);
       },
       "divisible by the group size (3)"},
      {[](Bench& b, ir::ValueId x) {
         PermuteAttrs p;
         p.pairs = {{0, 1}, {2, 1}};
         return b.Add(OpKind::CollectivePermute, {x}, p);
       },
       "repeats"},
  };
  for (const Case& c : cases) {
    Bench bench(kAxesOfMesh);
    EXPECT_FALSE(c.add(bench, bench.Arg(DType::F32, {8, 4})).valid()) << c.words;
    EXPECT_NE(bench.FirstError().find(c.words), std::string::npos) << bench.FirstError();
    EXPECT_EQ(bench.diags.exit_code(), 4);
  }
}

TEST(GatherTyping, RulesOfRowsAndBatches) {
  Bench bench(kAxesOfMesh);
  ir::ValueId table = bench.Arg(DType::F32, {100, 8}), ids = bench.Arg(DType::S32, {6, 5, 1});
  GatherAttrs rows;
  rows.offset_dims = {2};
  rows.collapsed_slice_dims = rows.start_index_map = {0};
  rows.index_vector_dim = 2;
  rows.slice_sizes = {1, 8};
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Gather, {table, ids}, rows)), "f32[6,5,8]");
  EXPECT_EQ(LastRule(bench), "([l, k], [i, j, m]) -> ([i, j, k])  i=6 map, j=5 map, k=8 map, l=100 index, m=1 whole");
  GatherAttrs along;
  along.collapsed_slice_dims = along.start_index_map = {1};
  along.operand_batching_dims = along.start_indices_batching_dims = {0};
  along.index_vector_dim = 2;
  along.slice_sizes = {1, 1};
  ir::ValueId picks = bench.Arg(DType::S32, {100, 3, 1});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Gather, {table, picks}, along)), "f32[100,3]");
  EXPECT_EQ(LastRule(bench), "([i, k], [i, j, l]) -> ([i, j])  i=100 map, j=3 map, k=8 index, l=1 whole");
}

TEST(ScatterTyping, UpdatesReduceIntoTheTable) {
  Bench bench(kAxesOfMesh);
  ir::ValueId table = bench.Arg(DType::F32, {100, 8}), ids = bench.Arg(DType::S32, {6, 1});
  ir::ValueId updates = bench.Arg(DType::F32, {6, 8});
  ScatterAttrs attrs;
  attrs.update_window_dims = {1};
  attrs.inserted_window_dims = attrs.scatter_dims_to_operand_dims = {0};
  attrs.index_vector_dim = 1;
  bench.Add(OpKind::Scatter, {table, ids, updates}, attrs, {bench.Body(OpKind::Maximum, DType::F32)});
  EXPECT_EQ(LastRule(bench), "([k, j], [i, l], [i, j]) -> ([k, j])  i=6 reduce, j=8 map, k=100 index, l=1 whole");
  const ir::Inst& inst = *bench.function().insts.begin();
  EXPECT_EQ(op::RuleOf(bench.module, bench.function(), inst).result_monoid[0], mesh::Monoid::Max);
  // Replacing depends on the order of the updates.
  bench.Add(OpKind::Scatter, {table, ids, updates}, attrs, {bench.Body(OpKind::Opaque, DType::F32)});
  EXPECT_EQ(LastRule(bench), "([k, j], [i, l], [i, j]) -> ([k, j])  i=6 whole, j=8 map, k=100 index, l=1 whole");
}

TEST(DynamicSliceTyping, SlicedDimsHaveFactorsOfTheirOwn) {
  Bench bench(kAxesOfMesh);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4}), i = bench.Arg(DType::S32, {});
  ir::ValueId y = bench.Add(OpKind::DynamicSlice, {x, i, i}, DynamicSliceAttrs{{2, 4}});
  EXPECT_EQ(bench.Show(y), "f32[2,4]");
  EXPECT_EQ(LastRule(bench), "([i, k], [], []) -> ([j, k])  i=8 index blocked, j=2 whole blocked, k=4 map");
  EXPECT_EQ(bench.Show(bench.builder.Add1(OpKind::DynamicUpdateSlice, {x, y, i, i})), "f32[8,4]");
  EXPECT_EQ(LastRule(bench), "([i, k], [j, k], [], []) -> ([i, k])  i=8 index, j=2 whole, k=4 map");
}

// --- sharding in types ---

TEST(ExplicitTypes, SizesThatChangeMustDivide) {
  Bench bench(Explicit());
  ir::ValueId x = bench.TypedArg(DType::F32, {8, 8}, bench.Sharded({"x", "y"}));
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Slice, {x}, SliceAttrs{{0, 0}, {6, 4}, {1, 1}})), "f32[6@x,4@y]");
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Reverse, {x}, ReverseAttrs{{0}})), "f32[8@x,8@y]");
  ir::ValueId zero = bench.Arg(DType::F32, {});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Pad, {x, zero}, PadAttrs{{1, 0}, {1, 4}, {0, 0}})), "f32[10@x,12@y]");
  ir::ValueId i = bench.Arg(DType::S32, {});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::DynamicSlice, {x, i, i}, DynamicSliceAttrs{{2, 8}})), "f32[2@x,8@y]");
  EXPECT_FALSE(bench.Add(OpKind::Slice, {x}, SliceAttrs{{0, 0}, {1, 8}, {1, 1}}).valid());
  EXPECT_EQ(
      bench.FirstError(),
      "slice: slicing on sharded dims where out dim (1) is not divisible by mesh axes (2) with spec (x): input type "
      "f32[8@x,8@y], output shape [1, 8]");
  EXPECT_EQ(diag::Code(bench.diags.all()[0].kind), "size-change-indivisible");
}

TEST(ExplicitTypes, ConcatenateAndUpdateWantEqualShardings) {
  Bench bench(Explicit());
  ir::ValueId x = bench.TypedArg(DType::F32, {8, 8}, bench.Sharded({"x", ""}));
  ir::ValueId y = bench.Arg(DType::F32, {8, 8}), i = bench.Arg(DType::S32, {});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Concatenate, {x, x}, ConcatenateAttrs{0})), "f32[16@x,8]");
  EXPECT_FALSE(bench.Add(OpKind::Concatenate, {x, y}, ConcatenateAttrs{0}).valid());
  EXPECT_FALSE(bench.builder.Add1(OpKind::DynamicUpdateSlice, {x, y, i, i}).valid());
  for (const diag::Diagnostic& d : bench.diags.all()) {
    EXPECT_EQ(diag::Code(d.kind), "operand-shardings-differ");
  }
}

TEST(ExplicitTypes, GatherResolvesOrIsAmbiguous) {
  Bench bench(Explicit());
  GatherAttrs rows;
  rows.offset_dims = {1};
  rows.collapsed_slice_dims = rows.start_index_map = {0};
  rows.index_vector_dim = 1;
  rows.slice_sizes = {1, 8};
  ir::ValueId ids = bench.Arg(DType::S32, {6, 1});
  ir::ValueId columns = bench.TypedArg(DType::F32, {16, 8}, bench.Sharded({"", "y"}));
  ir::ValueId split = bench.TypedArg(DType::F32, {16, 8}, bench.Sharded({"x", ""}));
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Gather, {columns, ids}, rows)), "f32[6,8@y]");
  ir::AttrsId attrs = bench.builder.Attrs(rows);
  ir::ValueId asked = bench.builder.Add1(OpKind::Gather, {split, ids}, attrs, {},
                                         bench.tables->shardings.Intern(bench.Sharded({"x", ""})));
  EXPECT_EQ(bench.Show(asked), "f32[6@x,8]");
  EXPECT_FALSE(bench.builder.Add1(OpKind::Gather, {split, ids}, attrs).valid());
  EXPECT_EQ(diag::Code(bench.diags.all()[0].kind), "gather-ambiguous");
}

TEST(ExplicitTypes, ScatterKeepsTheOperands) {
  Bench bench(Explicit());
  ScatterAttrs attrs;
  attrs.update_window_dims = {1};
  attrs.inserted_window_dims = attrs.scatter_dims_to_operand_dims = {0};
  attrs.index_vector_dim = 1;
  ir::FuncId body = bench.Body(OpKind::Add, DType::F32);
  ir::ValueId ids = bench.Arg(DType::S32, {6, 1});
  ir::ValueId table = bench.TypedArg(DType::F32, {16, 8}, bench.Sharded({"", "y"}));
  ir::ValueId updates = bench.TypedArg(DType::F32, {6, 8}, bench.Sharded({"", "y"}));
  ir::ValueId plain = bench.Arg(DType::F32, {6, 8});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::Scatter, {table, ids, updates}, attrs, {body})), "f32[16,8@y]");
  EXPECT_FALSE(bench.Add(OpKind::Scatter, {table, ids, plain}, attrs, {body}).valid());
  EXPECT_EQ(diag::Code(bench.diags.all()[0].kind), "scatter-ambiguous");
}

// JAX's reshard: the type's sharding becomes the one asked for; a plain constraint changes no type.
TEST(ExplicitTypes, ConstraintWithOutSharding) {
  Bench bench(Explicit());
  ir::ValueId x = bench.TypedArg(DType::F32, {8, 8}, bench.Sharded({"x", ""}));
  mesh::ShardingId to = bench.tables->shardings.Intern(bench.Sharded({"", "y"}));
  ir::AttrsId attrs = bench.builder.Attrs(ShardingConstraintAttrs{to});
  EXPECT_EQ(bench.Show(bench.builder.Add1(OpKind::ShardingConstraint, {x}, attrs)), "f32[8@x,8]");
  EXPECT_EQ(bench.Show(bench.builder.Add1(OpKind::ShardingConstraint, {x}, attrs, {}, to)), "f32[8,8@y]");
}

// --- collectives, control flow ---

TEST(CollectiveTyping, SizesFollowTheGroups) {
  Bench bench(kAxesOfMesh);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4});
  CollectiveAttrs attrs;
  attrs.groups.mesh = bench.mesh_id;
  attrs.groups.axes = bench.Axes("y");
  attrs.concat_dim = 1;
  EXPECT_EQ(bench.Show(bench.Add(OpKind::AllGather, {x}, attrs)), "f32[32,4]");
  EXPECT_EQ(LastRule(bench), "([j, i]) -> ([k, i])  i=4 map, j=8 whole, k=32 whole");
  EXPECT_EQ(bench.Show(bench.Add(OpKind::AllToAll, {x}, attrs)), "f32[2,16]");
  ir::FuncId add = bench.Body(OpKind::Add, DType::F32);
  EXPECT_EQ(bench.Show(bench.Add(OpKind::ReduceScatter, {x}, attrs, {add})), "f32[2,4]");
  EXPECT_EQ(bench.Show(bench.Add(OpKind::AllReduce, {x}, attrs, {add})), "f32[8,4]");
  EXPECT_EQ(bench.Show(bench.builder.Add1(OpKind::PartitionId, {})), "u32[]");
}

// Devices that need the block they hold keep it; digits that no list names stay.
TEST(CollectiveTyping, PairsOfAPermute) {
  Bench bench(kAxesOfMesh);
  PermuteAttrs attrs;
  attrs.mesh = attrs.to_mesh = bench.mesh_id;
  attrs.from = bench.Axes("x");
  attrs.to = bench.Axes("y:(1)2");
  std::vector<std::pair<int64_t, int64_t>> want = {{0, 0}, {1, 1}, {2, 4}, {3, 5}, {4, 2}, {5, 3}, {6, 6}, {7, 7}};
  EXPECT_EQ(ExpandPairs(*bench.tables, attrs), want);
}

// A function body of one op per result; arguments as given.
ir::FuncId MakeBody(
    Bench& bench, llvm::ArrayRef<ir::Type> args,
    llvm::function_ref<llvm::SmallVector<ir::ValueId, 2>(op::Builder&, llvm::ArrayRef<ir::ValueId>)> make) {
  ir::FuncId id = bench.module.functions.Add(ir::Function());
  for (const ir::Type& type : args) {
    ir::Value value;
    value.type = bench.tables->types.Intern(type);
    bench.module.functions[id].AddArg(std::move(value), {});
  }
  op::Builder builder(bench.module, id, bench.diags);
  llvm::SmallVector<ir::ValueId, 4> values = bench.module.functions[id].args;
  auto results = make(builder, values);
  bench.module.functions[id].results.assign(results.begin(), results.end());
  return id;
}

TEST(ControlTyping, LoopsCarryWhatTheyReturn) {
  Bench bench(kAxesOfMesh);
  ir::Type s32 = ir::ArrayType(DType::S32, {}), f32 = ir::ArrayType(DType::F32, {4});
  auto condition = MakeBody(bench, {s32, f32}, [](op::Builder& b, llvm::ArrayRef<ir::ValueId> v) {
    return llvm::SmallVector<ir::ValueId, 2>{
        b.Add1(OpKind::Compare, {v[0], v[0]}, b.Attrs(CompareAttrs{Direction::Lt, CompareType::Signed}))};
  });
  auto step = MakeBody(bench, {s32, f32}, [](op::Builder& b, llvm::ArrayRef<ir::ValueId> v) {
    return llvm::SmallVector<ir::ValueId, 2>{b.Add1(OpKind::Add, {v[0], v[0]})};
  });
  ir::ValueId i = bench.Arg(DType::S32, {}), captured = bench.Arg(DType::F32, {4});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::While, {i, captured}, WhileAttrs{1}, {condition, step})), "s32[]");
  EXPECT_FALSE(bench.Add(OpKind::While, {i, captured}, WhileAttrs{2}, {condition, step}).valid());
  EXPECT_EQ(diag::Code(bench.diags.all()[0].kind), "carry-mismatch");
  EXPECT_EQ(bench.Show(bench.builder.Add1(OpKind::Case, {i, i, captured}, {}, {step, step})), "s32[]");
  EXPECT_FALSE(bench.builder.Add1(OpKind::Case, {i, i, captured}, {}, {step, condition}).valid());
  EXPECT_EQ(diag::Code(bench.diags.all()[1].kind), "branch-mismatch");
  EXPECT_EQ(bench.Show(bench.builder.Add1(OpKind::Call, {i, captured}, {}, {step})), "s32[]");
}

TEST(ControlTyping, ManualRegionsSeeBlocks) {
  Bench bench(kAxesOfMesh);
  auto body = MakeBody(bench, {ir::ArrayType(DType::F32, {4, 8})}, [](op::Builder& b, llvm::ArrayRef<ir::ValueId> v) {
    return llvm::SmallVector<ir::ValueId, 2>{b.Add1(OpKind::Negate, {v[0]})};
  });
  ManualComputationAttrs attrs;
  attrs.mesh = bench.mesh_id;
  attrs.manual_axes = bench.Axes("x");
  attrs.in_shardings = {bench.tables->shardings.Intern(bench.Sharded({"x", "y"}))};
  attrs.out_shardings = {bench.tables->shardings.Intern(bench.Sharded({"", "x"}))};
  ir::ValueId x = bench.Arg(DType::F32, {8, 8}), other = bench.Arg(DType::F32, {4, 8});
  EXPECT_EQ(bench.Show(bench.Add(OpKind::ManualComputation, {x}, attrs, {body})), "f32[4,16]");
  EXPECT_FALSE(bench.Add(OpKind::ManualComputation, {other}, attrs, {body}).valid());
  EXPECT_EQ(diag::Code(bench.diags.all()[0].kind), "shard-map-specs");
}

}  // namespace
}  // namespace spmdc::ops::test
