// Tests of random inputs.
#include "run/inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "maker.h"
#include "ops/gather.h"

namespace spmdc::run {
namespace {

struct InputsTest : testing::Test {
  InputsTest() : diags(&sources), file(AddText(sources)), maker(tables, diags, file) {
    main = maker.Function("main", /*entry=*/true);
  }
  source::SourceManager sources;
  diag::Engine diags;
  source::FileId file;
  std::shared_ptr<ir::Tables> tables = std::make_shared<ir::Tables>();
  Maker maker;
  FuncId main;
};

TEST_F(InputsTest, TheSeedDecides) {
  maker.Arg(main, DType::F32, {8, 8}, "x");
  maker.Arg(main, DType::F32, {8, 8}, "y");
  Inputs a = RandomInputs(maker.module, 1);
  EXPECT_EQ(a, RandomInputs(maker.module, 1));
  EXPECT_FALSE(a == RandomInputs(maker.module, 2));
  EXPECT_FALSE(a[0] == a[1]);
}

TEST_F(InputsTest, FloatsAreExactInEveryFloatTypeWithAFewBits) {
  maker.Arg(main, DType::F32, {16, 64}, "x");
  Literal x = RandomInputs(maker.module, 3)[0];
  EXPECT_EQ(x, x.ConvertTo(DType::F8E4M3FN).ConvertTo(DType::F32));
  std::set<double> seen;
  for (int64_t i = 0; i < x.size(); ++i) {
    seen.insert(x.GetReal(i));
    EXPECT_LE(std::abs(x.GetReal(i)), 8.0 / 32);  // steps of 1/8 / sqrt(16)
  }
  EXPECT_EQ(seen.size(), 17U);
}

TEST_F(InputsTest, ScalarsAreNeverZero) {
  maker.Arg(main, DType::F32, {}, "rate");
  maker.Arg(main, DType::S32, {}, "count");
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Inputs inputs = RandomInputs(maker.module, seed);
    EXPECT_GT(inputs[0].GetReal(0), 0);
    EXPECT_GT(inputs[1].GetInt(0), 0);
  }
}

TEST_F(InputsTest, IndicesStayInTheDimTheyIndex) {
  ValueId table = maker.Arg(main, DType::F32, {5, 3}, "table");
  ValueId ids = maker.Arg(main, DType::S32, {40, 1}, "ids");
  ValueId doubled = maker.Op(main, OpKind::Add, {ids, ids});
  ops::GatherAttrs attrs;
  attrs.offset_dims = {1};
  attrs.collapsed_slice_dims = {0};
  attrs.start_index_map = {0};
  attrs.index_vector_dim = 1;
  attrs.slice_sizes = {1, 3};
  maker.Return(main, {maker.Op(main, OpKind::Gather, {table, doubled}, attrs)});
  Literal drawn = RandomInputs(maker.module, 1)[1];
  std::set<int64_t> seen;
  for (int64_t i = 0; i < drawn.size(); ++i) {
    seen.insert(drawn.GetInt(i));
  }
  EXPECT_EQ(seen, (std::set<int64_t>{0, 1, 2, 3, 4}));
}

TEST_F(InputsTest, RandomArgumentsOfRootsAreMadePositive) {
  ValueId v = maker.Arg(main, DType::F32, {32}, "v");
  ValueId x = maker.Arg(main, DType::F32, {32}, "x");
  ValueId root = maker.Op(main, OpKind::Sqrt, {maker.Op(main, OpKind::Add, {v, v})});
  maker.Return(main, {maker.Op(main, OpKind::Multiply, {root, x})});
  Inputs inputs = RandomInputs(maker.module, 1);
  RunOptions options;
  CheckResult as_they_are = CheckPartition(maker.module, maker.module, inputs, options, diags);
  EXPECT_EQ(as_they_are.inputs, inputs);
  options.random = {1, 1};
  CheckResult made = CheckPartition(maker.module, maker.module, inputs, options, diags);
  EXPECT_EQ(made.inputs[1], inputs[1]);
  for (int64_t i = 0; i < 32; ++i) {
    EXPECT_GT(made.inputs[0].GetReal(i), 0);
    EXPECT_FALSE(std::isnan(made.results[0].GetReal(i)));
  }
}

}  // namespace
}  // namespace spmdc::run
