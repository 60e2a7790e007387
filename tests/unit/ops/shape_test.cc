// Constants, iota, broadcast_in_dim, reshape and transpose.
#include "ops/shape.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "one_op.h"
#include "ops/constant.h"
#include "ops/literal_text.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;
using tensor::Literal;
using ::testing::HasSubstr;

Literal Count(llvm::ArrayRef<int64_t> dims) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < tensor::NumElements(dims); ++i) {
    values.push_back(i);
  }
  return Literal::Integers(DType::F32, dims, values);
}

std::string ReshapeRule(std::vector<int64_t> from, Dims to) {
  OneOp p;
  ir::ValueId v = p.Add(OpKind::Reshape, {p.Arg(from)}, p.Attrs(ReshapeAttrs{to}));
  return v.valid() ? p.Rule(v) : p.Error();
}

// The factors that Shardy gives these reshapes.
TEST(ReshapeRule, CommonFactorsAreMapped) {
  EXPECT_EQ(ReshapeRule({8, 6}, {4, 12}), "([ij, k]) -> ([i, jk])  i=4 map, j=2 map, k=6 map");
  EXPECT_EQ(ReshapeRule({12}, {3, 4}), "([ij]) -> ([i, j])  i=3 map, j=4 map");
  EXPECT_EQ(ReshapeRule({2, 1, 3}, {6}), "([i, j, k]) -> ([ik])  i=2 map, j=1 map, k=3 map");
  EXPECT_EQ(ReshapeRule({8, 1, 6}, {4, 1, 12}),
            "([ik, l, m]) -> ([i, j, km])  i=4 map, j=1 map, k=2 map, l=1 map, m=6 map");
  EXPECT_EQ(ReshapeRule({}, {1, 1}), "([]) -> ([i, j])  i=1 map, j=1 map");
}

TEST(ReshapeRule, DimsThatMixHaveFactorsOfTheirOwn) {
  EXPECT_EQ(ReshapeRule({6, 5}, {10, 3}),
            "([ij, l]) -> ([ik, m])  i=2 map, j=3 piece, k=5 piece, l=5 piece, m=3 piece");
  EXPECT_EQ(ReshapeRule({15, 7, 8}, {21, 5, 2, 4}),
            "([ij, l, no]) -> ([ik, m, n, o])  i=3 map, j=5 piece, k=7 piece, l=7 piece, m=5 piece, n=2 map, o=4 map");
  EXPECT_EQ(
      ReshapeRule({7, 15, 2}, {5, 14, 3}),
      "([i, lm, o]) -> ([j, k, n])  i=7 piece, j=5 piece, k=14 piece, l=5 piece, m=3 piece, n=3 piece, o=2 piece");
  EXPECT_EQ(ReshapeRule({3, 6, 4}, {2, 36}),
            "([i, l, no]) -> ([j, kmo])  i=3 piece, j=2 piece, k=6 piece, l=6 piece, m=3 piece, n=2 piece, o=2 map");
}

TEST(ReshapeRule, NoneWithoutElements) { EXPECT_EQ(ReshapeRule({0, 4}, {0}), "([, ]) -> ([])"); }

TEST(ShapeRule, BroadcastAndTranspose) {
  OneOp p;
  ir::ValueId x = p.Arg({2, 1, 4});
  EXPECT_EQ(p.Rule(p.Add(OpKind::BroadcastInDim, {x}, p.Attrs(BroadcastInDimAttrs{{5, 2, 3, 4}, {1, 2, 3}}))),
            "([j, m, l]) -> ([i, j, k, l])  i=5 new, j=2 map, k=3 new, l=4 map, m=1 map");
  EXPECT_EQ(p.Rule(p.Add(OpKind::Transpose, {x}, p.Attrs(TransposeAttrs{{2, 0, 1}}))),
            "([j, k, i]) -> ([i, j, k])  i=4 map, j=2 map, k=1 map");
  EXPECT_EQ(p.Rule(p.Add(OpKind::Iota, {}, p.Attrs(IotaAttrs{DType::S32, {4, 3}, 1}))),
            "() -> ([i, j])  i=4 new, j=3 new");
}

TEST(ShapeInfer, Refusals) {
  OneOp p;
  ir::ValueId x = p.Arg({2, 3});
  EXPECT_FALSE(p.Add(OpKind::Reshape, {x}, p.Attrs(ReshapeAttrs{{7}})).valid());
  EXPECT_EQ(p.Error(), "[reshape-size] reshape: cannot reshape f32[2,3] (6 elements) into [7] (7 elements)");
  EXPECT_FALSE(p.Add(OpKind::Transpose, {x}, p.Attrs(TransposeAttrs{{0, 0}})).valid());
  EXPECT_EQ(p.Error(), "[axis-range] transpose: permutation [0, 0] is no permutation of the dims of f32[2,3]");
  EXPECT_FALSE(p.Add(OpKind::BroadcastInDim, {x}, p.Attrs(BroadcastInDimAttrs{{2, 4}, {0, 1}})).valid());
  EXPECT_EQ(p.Error(),
            "[broadcast-shape] broadcast_in_dim: dim 1 of f32[2,3] becomes dim 1 of [2, 4], expected size 1 or 4");
  EXPECT_FALSE(p.Add(OpKind::BroadcastInDim, {x}, p.Attrs(BroadcastInDimAttrs{{2, 4}, {0}})).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[shape]"));
  EXPECT_FALSE(p.Add(OpKind::Iota, {}, p.Attrs(IotaAttrs{DType::S32, {4}, 1})).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[axis-range] iota: counts along dim 1"));
}

TEST(ShapeEval, MovesElements) {
  OneOp p;
  ir::ValueId x = p.Arg({2, 3}), column = p.Arg({2, 1});
  EXPECT_EQ(HloText(p.Eval(p.Add(OpKind::Transpose, {x}, p.Attrs(TransposeAttrs{{1, 0}})), {Count({2, 3})})),
            "{ { 0, 3 }, { 1, 4 }, { 2, 5 } }");
  EXPECT_EQ(HloText(p.Eval(p.Add(OpKind::Reshape, {x}, p.Attrs(ReshapeAttrs{{3, 2}})), {Count({2, 3})})),
            "{ { 0, 1 }, { 2, 3 }, { 4, 5 } }");
  ir::ValueId stretched = p.Add(OpKind::BroadcastInDim, {column}, p.Attrs(BroadcastInDimAttrs{{2, 2, 3}, {1, 2}}));
  EXPECT_EQ(HloText(p.Eval(stretched, {Count({2, 1})})),
            "{ { { 0, 0, 0 }, { 1, 1, 1 } }, { { 0, 0, 0 }, { 1, 1, 1 } } }");
  ir::ValueId iota = p.Add(OpKind::Iota, {}, p.Attrs(IotaAttrs{DType::BF16, {2, 3}, 1}));
  EXPECT_EQ(HloText(p.Eval(iota, {})), "{ { 0, 1, 2 }, { 0, 1, 2 } }");
}

TEST(ShapeEval, EveryWidthOfElement) {
  for (DType dtype : {DType::Pred, DType::S8, DType::BF16, DType::F32, DType::F64, DType::C64, DType::C128}) {
    OneOp p;
    ir::ValueId v = p.Add(OpKind::Transpose, {p.Arg(dtype, {2, 2})}, p.Attrs(TransposeAttrs{{1, 0}}));
    Literal swapped = p.Eval(v, {Literal::Numbers(dtype, {2, 2}, {0, 1, 0, 0})});
    EXPECT_EQ(swapped, Literal::Numbers(dtype, {2, 2}, {0, 0, 1, 0})) << tensor::HloName(dtype).str();
  }
}

TEST(Constant, ElidedOnesHaveNoValue) {
  OneOp p;
  ir::ValueId v = p.Add(OpKind::Constant, {}, p.Attrs(ConstantAttrs{Literal::Unknown(DType::F32, {4})}));
  EXPECT_EQ(p.Type(v), "f32[4]");
  EXPECT_TRUE(p.EvalAll(v, {}).empty());
  ir::ValueId splat = p.Add(OpKind::Constant, {}, p.Attrs(ConstantAttrs{Literal::Number(DType::F32, {2}, 3)}));
  EXPECT_EQ(HloText(p.Eval(splat, {})), "{3, 3}");
}

// As XLA prints them.
TEST(LiteralText, Hlo) {
  EXPECT_EQ(HloText(Literal::Numbers(DType::F32, {5}, {3.14159265, 1e10, 123456789, 1e-7, 0.1})),
            "{3.14159274, 1e+10, 123456792, 1e-07, 0.1}");
  EXPECT_EQ(HloText(Literal::Numbers(DType::BF16, {3}, {0.1, 1e30, 3})), "{0.1001, 1e+30, 3}");
  EXPECT_EQ(HloText(Literal::Numbers(DType::F16, {2}, {0.1, 1000})), "{0.099976, 1000}");
  EXPECT_EQ(HloText(Literal::Numbers(DType::F8E4M3FN, {2}, {0.1, 448})), "{0.102, 448}");
  EXPECT_EQ(HloText(Literal::Numbers(DType::F8E5M2, {2}, {0.1, 448})), "{0.094, 4.5e+02}");
  EXPECT_EQ(HloText(Literal::Numbers(DType::F64, {2}, {0.1, 3.14159265358979})), "{0.1, 3.14159265358979}");
  EXPECT_EQ(HloText(Literal::Integers(DType::Pred, {2}, {1, 0})), "{1, 0}");
  EXPECT_EQ(HloText(Literal::Integer(DType::Pred, {}, 1)), "true");
  EXPECT_EQ(HloText(Literal::Integers(DType::S8, {1, 2, 1}, {1, 2})), "{ { {1}, {2} } }");
  EXPECT_EQ(HloText(Literal(DType::F32, {2, 0})), "{ {}, {} }");
  EXPECT_EQ(HloText(Literal::Number(DType::C64, {}, 1.5)), "(1.5, 0)");
}

TEST(LiteralText, Python) {
  EXPECT_EQ(PythonText(Literal::Numbers(DType::F32, {2, 2}, {1, 0.5, 1e10, -3})), "[[1.0, 0.5], [1e+10, -3.0]]");
  EXPECT_EQ(PythonText(Literal::Integer(DType::Pred, {3}, 1)), "True");
  EXPECT_EQ(PythonText(Literal::Number(DType::F32, {}, -INFINITY)), "-inf");
}

std::string ReshapeType(std::vector<int64_t> from, std::vector<std::string> axes, Dims to) {
  OneOp p;
  p.Mesh({{"x", 2}, {"y", 2}, {"z", 4}});
  ir::ValueId v = p.Add(OpKind::Reshape, {p.Arg(from, p.Sharding(axes))}, p.Attrs(ReshapeAttrs{to}));
  return v.valid() ? p.Type(v) : p.Error().substr(0, p.Error().find(']') + 1);
}

// JAX's answers.
TEST(ReshapeTypes, OneSplitOrOneMerge) {
  EXPECT_EQ(ReshapeType({8}, {"xy"}, {2, 4}), "f32[2@x,4@y]");
  EXPECT_EQ(ReshapeType({8}, {"xy"}, {4, 2}), "f32[4@(x,y),2]");
  EXPECT_EQ(ReshapeType({8}, {"x"}, {2, 4}), "f32[2@x,4]");
  EXPECT_EQ(ReshapeType({6}, {"x"}, {3, 2}), "[out-sharding-needed]");
  EXPECT_EQ(ReshapeType({12}, {"xy"}, {3, 4}), "[out-sharding-needed]");
  EXPECT_EQ(ReshapeType({8}, {"z"}, {2, 4}), "[out-sharding-needed]");
  EXPECT_EQ(ReshapeType({2, 2}, {"x", "y"}, {4}), "f32[4@(x,y)]");
  EXPECT_EQ(ReshapeType({4, 3}, {"x", ""}, {12}), "f32[12@x]");
  EXPECT_EQ(ReshapeType({2, 2, 2}, {"x", "", "y"}, {8}), "[out-sharding-needed]");
  EXPECT_EQ(ReshapeType({4, 2}, {"", "x"}, {8}), "[out-sharding-needed]");
}

TEST(ReshapeTypes, OtherDimsKeepTheirAxes) {
  EXPECT_EQ(ReshapeType({4, 6, 8}, {"x", "", "y"}, {4, 2, 3, 8}), "f32[4@x,2,3,8@y]");
  EXPECT_EQ(ReshapeType({4, 6, 8}, {"x", "y", ""}, {4, 2, 3, 8}), "f32[4@x,2@y,3,8]");
  EXPECT_EQ(ReshapeType({4, 6, 8}, {"x", "y", ""}, {4, 3, 2, 8}), "[out-sharding-needed]");
  EXPECT_EQ(ReshapeType({4, 2, 6, 8}, {"", "", "y", "x"}, {4, 12, 8}), "[out-sharding-needed]");
  EXPECT_EQ(ReshapeType({16, 1}, {"x", ""}, {1, 16, 1}), "f32[1,16@x,1]");
  EXPECT_EQ(ReshapeType({4, 6}, {"x", ""}, {2, 2, 3, 2}), "[out-sharding-needed]");
}

}  // namespace
}  // namespace spmdc::ops
