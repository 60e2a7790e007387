// Tests of the check: right per-device programs pass, each planted fault is found where it is.
#include <gtest/gtest.h>

#include <cmath>

#include "maker.h"
#include "ops/control.h"
#include "ops/slice.h"
#include "run/inputs.h"
#include "run/run.h"

namespace spmdc::run {
namespace {

// h = x @ w, y = tanh(h), on data=2 x model=2: x on P('data', 'model'), w on P('model', None).
struct CheckTest : testing::Test {
  CheckTest() : diags(&sources), file(AddText(sources)), global(tables, diags, file), local(tables, diags, file) {
    mesh::Mesh m;
    m.axes = {{"data", 2, mesh::AxisType::Auto}, {"model", 2, mesh::AxisType::Auto}};
    mesh = tables->meshes.Intern(m);
    local.module.num_devices = 4;
    local.module.per_device = true;
    global_main = global.Function("main", /*entry=*/true);
    local_main = local.Function("main", /*entry=*/true);
  }
  mesh::ShardingId On(std::vector<std::vector<int32_t>> dims) { return Sharded(*tables, mesh, std::move(dims)); }

  void MakeGlobal(int64_t k) {
    x = global.Arg(global_main, DType::F32, {8, k}, "x");
    w = global.Arg(global_main, DType::F32, {k, 3}, "w");
    h = global.Dot(global_main, x, w, "h");
    y = global.Op(global_main, OpKind::Tanh, {h}, llvm::ArrayRef<FuncId>{}, "y");
    global.Return(global_main, {y});
  }
  ir::ValueRef Global(ValueId v) const { return {global_main, v}; }

  // The per-device program; `mask` makes a device's block of x and w of what is to be multiplied.
  struct Faults {
    std::vector<llvm::SmallVector<int64_t, 8>> groups = {{0, 1}, {2, 3}};
    bool mask = false;
  };
  void MakeLocal(int64_t k, const Faults& faults) {
    int64_t block = (k + 1) / 2;
    ValueId lx = local.Arg(local_main, DType::F32, {4, block}, "x");
    ValueId lw = local.Arg(local_main, DType::F32, {block, 3}, "w");
    local.Place(local_main, lx, On({{0}, {1}}), Global(x));
    local.Place(local_main, lw, On({{1}, {}}), Global(w));
    ValueId a = faults.mask ? Mask(lx, 1, k) : lx;
    ValueId b = faults.mask ? Mask(lw, 0, k) : lw;
    ValueId partial = local.Dot(local_main, a, b, "partial");
    ValueId lh = local.AllReduce(local_main, partial, faults.groups, "h");
    reduce_line = local.line();
    local.Place(local_main, lh, On({{0}, {}}), Global(h));
    ValueId ly = local.Op(local_main, OpKind::Tanh, {lh}, llvm::ArrayRef<FuncId>{}, "y");
    local.Place(local_main, ly, On({{0}, {}}), Global(y));
    local.Return(local_main, {ly});
  }
  // x where partition_id % 2 * block + i < k along dim, else 0.
  ValueId Mask(ValueId v, int64_t dim, int64_t k) {
    Dims dims = local.module.type(local.module.functions[local_main], v).dims;
    ValueId id = local.Op(local_main, OpKind::PartitionId, {});
    ValueId two = local.Scalar(local_main, DType::U32, 2);
    ValueId rest = local.Op(local_main, OpKind::Remainder, {id, two});
    ValueId index = local.Op(local_main, OpKind::Convert, {rest}, ops::ConvertAttrs{DType::S32});
    ValueId block = local.Scalar(local_main, DType::S32, static_cast<double>(dims[static_cast<size_t>(dim)]));
    ValueId base = local.Broadcast(local_main, local.Op(local_main, OpKind::Multiply, {index, block}), dims);
    ValueId i = local.Op(local_main, OpKind::Iota, {}, ops::IotaAttrs{DType::S32, dims, dim});
    ValueId size = local.Broadcast(local_main, local.Scalar(local_main, DType::S32, static_cast<double>(k)), dims);
    ValueId in = local.Compare(local_main, local.Op(local_main, OpKind::Add, {base, i}), size, ops::Direction::Lt);
    ValueId zero = local.Broadcast(local_main, local.Scalar(local_main, DType::F32, 0), dims);
    return local.Op(local_main, OpKind::Select, {in, v, zero});
  }

  CheckResult Check(RunOptions options = {}) {
    return CheckPartition(global.module, local.module, RandomInputs(global.module, 1), options, diags);
  }
  const diag::Diagnostic& Only() {
    EXPECT_EQ(diags.all().size(), 1U) << diag::RenderText(diags, false);
    return diags.all()[0];
  }

  source::SourceManager sources;
  diag::Engine diags;
  source::FileId file;
  std::shared_ptr<ir::Tables> tables = std::make_shared<ir::Tables>();
  Maker global, local;
  mesh::MeshId mesh;
  FuncId global_main, local_main;
  ValueId x, w, h, y;
  int reduce_line = 0;
};

TEST_F(CheckTest, ARightProgramPasses) {
  MakeGlobal(6);
  MakeLocal(6, {});
  CheckResult result = Check();
  EXPECT_TRUE(result.ok) << diag::RenderText(diags, false);
  EXPECT_EQ(result.values, 4 * 5);  // x, w, h, y and the result
  EXPECT_EQ(result.without_counterpart, 4);
  EXPECT_EQ(result.collectives, 1);
  EXPECT_EQ(result.wire_bytes, 4 * 3 * 4);
  EXPECT_EQ(result.not_kept, 0);
  EXPECT_EQ(result.all_nan, 0);
}

TEST_F(CheckTest, ItPassesWithoutAnchorToo) {
  MakeGlobal(6);
  MakeLocal(6, {});
  RunOptions options;
  options.anchor = false;
  EXPECT_TRUE(Check(options).ok) << diag::RenderText(diags, false);
}

TEST_F(CheckTest, AWrongGroupIsFound) {
  MakeGlobal(6);
  Faults faults;
  faults.groups = {{0, 2}, {1, 3}};
  MakeLocal(6, faults);
  EXPECT_FALSE(Check().ok);
  EXPECT_EQ(Only().kind, diag::Kind::NumbersDiffer);
  EXPECT_EQ(diags.exit_code(), 6);
  EXPECT_EQ(sources.Locate(Only().span).line, static_cast<uint32_t>(reduce_line));
  EXPECT_EQ(Only().message.substr(0, 25), "`h` on device 0: element ") << Only().message;
  EXPECT_NE(Only().notes[0].text.find("the device holds [0:4,0:3] of it"), std::string::npos) << Only().notes[0].text;
}

TEST_F(CheckTest, AGroupTooSmallIsFound) {
  MakeGlobal(6);
  Faults faults;
  faults.groups = {{0}, {1}, {2}, {3}};
  MakeLocal(6, faults);
  EXPECT_FALSE(Check().ok);
  EXPECT_EQ(Only().kind, diag::Kind::NumbersDiffer);
}

TEST_F(CheckTest, PaddingWithoutAMaskIsFound) {
  MakeGlobal(5);
  MakeLocal(5, {});
  EXPECT_FALSE(Check().ok);
  EXPECT_EQ(Only().kind, diag::Kind::NumbersDiffer);
  EXPECT_NE(Only().message.find(" is nan, expected "), std::string::npos) << Only().message;
}

TEST_F(CheckTest, MaskedPaddingPasses) {
  MakeGlobal(5);
  Faults faults;
  faults.mask = true;
  MakeLocal(5, faults);
  EXPECT_TRUE(Check().ok) << diag::RenderText(diags, false);
}

TEST_F(CheckTest, ASwappedShardIsFound) {
  MakeGlobal(6);
  MakeLocal(6, {});
  // The result is said to be split over the other axis.
  ValueId ly = local.module.functions[local_main].results[0];
  local.Place(local_main, ly, On({{1}, {}}), Global(y));
  EXPECT_FALSE(Check().ok);
  EXPECT_EQ(Only().message.substr(0, 15), "`y` on device 1") << Only().message;
}

TEST_F(CheckTest, AShardOfAnotherSizeIsFound) {
  MakeGlobal(6);
  MakeLocal(6, {});
  ValueId ly = local.module.functions[local_main].results[0];
  local.Place(local_main, ly, On({{}, {}}), Global(y));
  EXPECT_FALSE(Check().ok);
  EXPECT_NE(Only().message.find("holds [4,3] elements where its shard of [8,3] has [8,3]"), std::string::npos)
      << Only().message;
}

// In a loop that adds 1 to x (split over data), the device adds 2 from the third iteration on.
TEST_F(CheckTest, ADifferenceInALoopNamesTheIteration) {
  auto make = [&](Maker& maker, FuncId main, Dims dims, bool faulty, ValueId& sum, FuncId& step) {
    FuncId condition = maker.Function("condition");
    ValueId i = maker.Arg(condition, DType::S32, {}, "i");
    maker.Arg(condition, DType::F32, dims, "x");
    maker.Return(condition, {maker.Compare(condition, i, maker.Scalar(condition, DType::S32, 5), ops::Direction::Lt)});
    step = maker.Function("step");
    i = maker.Arg(step, DType::S32, {}, "i");
    ValueId v = maker.Arg(step, DType::F32, dims, "x");
    ValueId one = maker.Scalar(step, DType::F32, 1);
    if (faulty) {
      ValueId late = maker.Compare(step, i, maker.Scalar(step, DType::S32, 2), ops::Direction::Ge);
      one = maker.Op(step, OpKind::Select, {late, maker.Scalar(step, DType::F32, 2), one});
    }
    sum = maker.Op(step, OpKind::Add, {v, maker.Broadcast(step, one, dims)}, llvm::ArrayRef<FuncId>{}, "sum");
    maker.Return(step, {maker.Op(step, OpKind::Add, {i, maker.Scalar(step, DType::S32, 1)}), sum});
    ValueId in = maker.Arg(main, DType::F32, dims, "x");
    ValueId first =
        maker.Op(main, OpKind::While, {maker.Scalar(main, DType::S32, 0), in}, ops::WhileAttrs{2}, {condition, step});
    maker.Return(main, {ValueId{first.index + 1}});
  };
  ValueId global_sum, local_sum;
  FuncId global_step, local_step;
  make(global, global_main, {4}, false, global_sum, global_step);
  make(local, local_main, {2}, true, local_sum, local_step);
  local.Place(local_step, local_sum, On({{0}}), {global_step, global_sum});
  local.Place(local_main, local.module.functions[local_main].args[0], On({{0}}));
  local.Place(local_main, local.module.functions[local_main].results[0], On({{0}}));
  EXPECT_FALSE(Check().ok);
  EXPECT_EQ(Only().message.substr(0, 32), "`sum` on device 0 in iteration 2") << Only().message;
}

// A manual region of the global program that sums over `model` by hand; the per-device program has it inlined.
TEST_F(CheckTest, ManualRegionsRunOnTheirMesh) {
  global.module.num_devices = 4;
  FuncId body = global.Function("body");
  ValueId block = global.Arg(body, DType::F32, {2, 3}, "block");
  ops::CollectiveAttrs attrs;
  attrs.groups.mesh = mesh;
  attrs.groups.axes = {mesh::Whole(tables->meshes[mesh], 1)};
  ValueId total = global.Op(body, OpKind::AllReduce, {block}, attrs, {global.Body(OpKind::Add, DType::F32)}, "total");
  global.Return(body, {total});
  x = global.Arg(global_main, DType::F32, {4, 6}, "x");
  ops::ManualComputationAttrs manual;
  manual.mesh = mesh;
  manual.manual_axes = {mesh::Whole(tables->meshes[mesh], 0), mesh::Whole(tables->meshes[mesh], 1)};
  manual.in_shardings = {On({{0}, {1}})};
  manual.out_shardings = {On({{0}, {}})};
  y = global.Op(global_main, OpKind::ManualComputation, {x}, manual, {body}, "y");
  global.Return(global_main, {y});

  ValueId lx = local.Arg(local_main, DType::F32, {2, 3}, "x");
  local.Place(local_main, lx, On({{0}, {1}}), Global(x));
  ValueId lt = local.AllReduce(local_main, lx, {{0, 1}, {2, 3}}, "total");
  local.Place(local_main, lt, On({{}, {}}), {body, total});
  local.Return(local_main, {lt});
  local.module.functions[local_main].result_info[0].sharding = On({{0}, {}});
  CheckResult result = Check();
  EXPECT_TRUE(result.ok) << diag::RenderText(diags, false);

  Inputs inputs = RandomInputs(global.module, 1);
  auto whole = RunGlobal(global.module, inputs, {}, diags);
  ASSERT_TRUE(whole);
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 3; ++c) {
      EXPECT_EQ((*whole)[0].GetReal(r * 3 + c), inputs[0].GetReal(r * 6 + c) + inputs[0].GetReal(r * 6 + c + 3));
    }
  }
}

TEST_F(CheckTest, DevicesAloneGiveTheSameResults) {
  MakeGlobal(6);
  MakeLocal(6, {});
  Inputs inputs = RandomInputs(global.module, 7);
  auto whole = RunGlobal(global.module, inputs, {}, diags);
  auto devices = RunDevices(global.module, local.module, inputs, {}, diags);
  ASSERT_TRUE(whole && devices) << diag::RenderText(diags, false);
  for (int64_t i = 0; i < 24; ++i) {
    EXPECT_NEAR((*whole)[0].GetReal(i), devices->results[0].GetReal(i), 1e-6);
  }
}

TEST_F(CheckTest, InputsThatDoNotFitAreTold) {
  MakeGlobal(6);
  MakeLocal(6, {});
  Inputs inputs = RandomInputs(global.module, 1);
  inputs[1] = Literal(DType::F32, {6, 4});
  EXPECT_FALSE(CheckPartition(global.module, local.module, inputs, {}, diags).ok);
  EXPECT_EQ(Only().message, "argument 1 is f32[6,3], the input is f32[6,4]");
}

TEST_F(CheckTest, ValuesBeyondTheLimitAreCounted) {
  MakeGlobal(6);
  MakeLocal(6, {});
  RunOptions options;
  options.trace_bytes = 8 * 6 * 4;  // x only
  CheckResult result = Check(options);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.values, 4);
  EXPECT_EQ(result.not_kept, 4 * 3);
}

}  // namespace
}  // namespace spmdc::run
