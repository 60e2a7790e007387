// dot_general and reduce.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "one_op.h"
#include "ops/dot.h"
#include "ops/elementwise.h"
#include "ops/reduce.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;
using tensor::Literal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DotGeneralAttrs Matmul(DType result = DType::F32) { return {{1}, {0}, {}, {}, result, "", ""}; }

Literal Numbers(llvm::ArrayRef<int64_t> dims, std::vector<double> values, DType dtype = DType::F32) {
  return Literal::Numbers(dtype, dims, values);
}

TEST(Dot, TypeAndRule) {
  OneOp p;
  ir::ValueId a = p.Arg({2, 3, 7, 4}), b = p.Arg({4, 3, 5, 1});
  ir::ValueId v = p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(DotGeneralAttrs{{3}, {0}, {1}, {1}}));
  EXPECT_EQ(p.Type(v), "f32[3,2,7,5,1]");
  EXPECT_EQ(
      p.Rule(v),
      "([j, i, k, n], [n, i, l, m]) -> ([i, j, k, l, m])  i=3 map, j=2 map, k=7 map, l=5 map, m=1 map, n=4 reduce");
}

TEST(Dot, Refusals) {
  OneOp p;
  ir::ValueId a = p.Arg({8, 16}), b = p.Arg({12, 4});
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul())).valid());
  EXPECT_EQ(p.Error(),
            "[contracting-size] dot_general: contracting dim 1 of f32[8,16] has size 16 and dim 0 of "
            "f32[12,4] has size 12, expected equal sizes");
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(DotGeneralAttrs{{2}, {0}})).valid());
  EXPECT_EQ(p.Error(), "[axis-range] dot_general: lhs contracting dim 2 is outside f32[8,16]");
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(DotGeneralAttrs{{1}, {}})).valid());
  EXPECT_THAT(p.Error(), HasSubstr("got 1 lhs and 0 rhs contracting dims"));
}

TEST(Dot, Multiplies) {
  OneOp p;
  ir::ValueId a = p.Arg({2, 3}), b = p.Arg({3, 2});
  Literal x = Numbers({2, 3}, {1, 2, 3, 4, 5, 6}), y = Numbers({3, 2}, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(p.Eval(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul())), {x, y}), Numbers({2, 2}, {4, 5, 10, 11}));
  // Both operands transposed, and no contracting dim at all.
  EXPECT_EQ(p.Eval(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(DotGeneralAttrs{{0}, {1}})), {x, y}),
            Numbers({3, 3}, {1, 4, 5, 2, 5, 7, 3, 6, 9}));
  ir::ValueId outer = p.Add(OpKind::DotGeneral, {p.Arg({2}), p.Arg({2})}, p.Attrs(DotGeneralAttrs{}));
  EXPECT_EQ(p.Eval(outer, {Numbers({2}, {2, 3}), Numbers({2}, {5, 7})}), Numbers({2, 2}, {10, 14, 15, 21}));
}

TEST(Dot, BatchesAndLargeSizes) {
  OneOp p;
  constexpr int64_t kBatch = 2, kRows = 3, kK = 150, kColumns = 700;
  std::vector<double> x, y;
  for (int64_t i = 0; i < kBatch * kRows * kK; ++i) {
    x.push_back(static_cast<double>(i % 7 - 3));
  }
  for (int64_t i = 0; i < kBatch * kK * kColumns; ++i) {
    y.push_back(static_cast<double>(i % 5 - 2));
  }
  ir::ValueId v = p.Add(OpKind::DotGeneral, {p.Arg({kBatch, kRows, kK}), p.Arg({kBatch, kK, kColumns})},
                        p.Attrs(DotGeneralAttrs{{2}, {1}, {0}, {0}}));
  Literal result = p.Eval(v, {Numbers({kBatch, kRows, kK}, x), Numbers({kBatch, kK, kColumns}, y)});
  for (int64_t at : {int64_t{0}, kColumns - 1, kRows * kColumns + 600}) {
    int64_t batch = at / (kRows * kColumns), row = at / kColumns % kRows, column = at % kColumns;
    double sum = 0;
    for (int64_t k = 0; k < kK; ++k) {
      sum += x[static_cast<size_t>((batch * kRows + row) * kK + k)] *
             y[static_cast<size_t>((batch * kK + k) * kColumns + column)];
    }
    EXPECT_EQ(result.GetReal(at), sum) << at;
  }
}

TEST(Dot, SumsNarrowTypesWide) {
  OneOp p;
  ir::ValueId a = p.Arg(DType::BF16, {1, 3}), b = p.Arg(DType::BF16, {3, 1});
  Literal x = Numbers({1, 3}, {256, 1, 1}, DType::BF16), y = Numbers({3, 1}, {1, 1, 1}, DType::BF16);
  EXPECT_EQ(p.Eval(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul(DType::BF16))), {x, y}).GetReal(0), 258);
  EXPECT_EQ(p.Eval(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul(DType::F32))), {x, y}).GetReal(0), 258);
  ir::ValueId i = p.Arg(DType::S8, {1, 2}), j = p.Arg(DType::S8, {2, 1});
  Literal big = Literal::Integers(DType::S8, {1, 2}, {100, 100});
  EXPECT_EQ(
      p.Eval(p.Add(OpKind::DotGeneral, {i, j}, p.Attrs(Matmul(DType::S32))), {big, big.WithDims({2, 1})}).GetInt(0),
      20000);
}

TEST(DotTypes, ResultOfFreeDims) {
  OneOp p;
  p.Mesh({{"x", 4}, {"y", 2}});
  ir::ValueId a = p.Arg({8, 16}, p.Sharding({"x", ""})), b = p.Arg({16, 4}, p.Sharding({"", "y"})),
              c = p.Arg({16, 4}, p.Sharding({"", "x"})), k = p.Arg({8, 16}, p.Sharding({"", "y"}));
  EXPECT_EQ(p.Type(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul()))), "f32[8@x,4@y]");
  EXPECT_EQ(p.Type(p.Add(OpKind::DotGeneral, {k, c}, p.Attrs(Matmul()))), "f32[8,4@x]");
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {a, c}, p.Attrs(Matmul())).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[illegal-result]"));
}

TEST(DotTypes, BatchDimsAreTheLhss) {
  OneOp p;
  p.Mesh({{"x", 2}, {"y", 2}});
  ir::ValueId sharded = p.Arg({4, 6, 6}, p.Sharding({"x", "", ""})), plain = p.Arg({4, 6, 6}),
              other = p.Arg({4, 6, 6}, p.Sharding({"y", "", ""}));
  auto attrs = [&] { return p.Attrs(DotGeneralAttrs{{2}, {1}, {0}, {0}}); };
  EXPECT_EQ(p.Type(p.Add(OpKind::DotGeneral, {sharded, plain}, attrs())), "f32[4@x,6,6]");
  EXPECT_EQ(p.Type(p.Add(OpKind::DotGeneral, {plain, sharded}, attrs())), "f32[4,6,6]");
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {sharded, other}, attrs()).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[batch-sharding]"));
}

TEST(DotTypes, AmbiguousContractionsNameEveryPlacementAndItsCost) {
  OneOp p;
  p.Mesh({{"d", 4}, {"m", 2}});
  ir::ValueId a = p.Arg({256, 512}, p.Sharding({"d", "m"})), b = p.Arg({512, 1024}, p.Sharding({"m", ""}));
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul())).valid());
  EXPECT_EQ(p.Error(),
            "[contracting-ambiguous] dot_general: contracting dims are sharded and it is ambiguous how the output "
            "should be sharded; got P('d', 'm') and P('m', None), contracting P('m',) with P('m',)");
  EXPECT_THAT(p.Help(),
              ElementsAre("out_sharding=P('d', None, unreduced={'m'}): no communication, the sum stays spread",
                          "out_sharding=P(('d', 'm'), None): reduce-scatter of f32[64,1024] over 'm', 131072 bytes per "
                          "device",
                          "out_sharding=P('d', 'm'): reduce-scatter of f32[64,1024] over 'm', 131072 bytes per device",
                          "out_sharding=P('d', None): all-reduce of f32[64,1024] over 'm', 262144 bytes per device"));
  ir::ValueId other = p.Arg({512, 1024}, p.Sharding({"d", ""}));
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {p.Arg({256, 512}, p.Sharding({"", "m"})), other}, p.Attrs(Matmul())).valid());
  EXPECT_THAT(p.Error(),
              HasSubstr("[contracting-ambiguous] dot_general: contracting dims must be sharded consistently"));
}

TEST(DotTypes, OutSharding) {
  OneOp p;
  p.Mesh({{"d", 4}, {"m", 2}});
  ir::ValueId a = p.Arg({256, 512}, p.Sharding({"d", "m"})), b = p.Arg({512, 1024}, p.Sharding({"m", ""}));
  mesh::Sharding plain = p.Sharding({"d", ""}), spread = p.Sharding({"d", ""}, "m"), wrong = p.Sharding({"", ""}, "d");
  EXPECT_EQ(p.Type(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul()), {}, &plain)), "f32[256@d,1024]");
  EXPECT_EQ(p.Type(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul()), {}, &spread)), "f32[256@d,1024]{U:m}");
  EXPECT_FALSE(p.Add(OpKind::DotGeneral, {a, b}, p.Attrs(Matmul()), {}, &wrong).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[unreduced]"));
}

// --- reduce ----------------------------------------------------------------------------------------------------------

TEST(Reduce, TypeAndRule) {
  OneOp p;
  ir::ValueId x = p.Arg({2, 3, 1, 4}), init = p.Arg(std::vector<int64_t>{});
  ir::ValueId v = p.Add(OpKind::Reduce, {x, init}, p.Attrs(ReduceAttrs{{1, 3}}), {p.Body({{OpKind::Add, DType::F32}})});
  EXPECT_EQ(p.Type(v), "f32[2,1]");
  EXPECT_EQ(p.Rule(v), "([i, j, k, l], []) -> ([i, k])  i=2 map, j=3 reduce, k=1 map, l=4 reduce");
}

TEST(Reduce, Refusals) {
  OneOp p;
  ir::ValueId x = p.Arg({2, 3}), init = p.Arg(std::vector<int64_t>{}), i = p.Arg(DType::S32, {});
  ir::FuncId add = p.Body({{OpKind::Add, DType::F32}});
  EXPECT_FALSE(p.Add(OpKind::Reduce, {x, init}, p.Attrs(ReduceAttrs{{2}}), {add}).valid());
  EXPECT_EQ(p.Error(), "[shape] reduce: reduces dim 2, which f32[2,3] does not have");
  EXPECT_FALSE(p.Add(OpKind::Reduce, {x, i}, p.Attrs(ReduceAttrs{{0}}), {add}).valid());
  EXPECT_EQ(p.Error(),
            "[dtype] reduce: the initial value of f32[2,3] is s32[], expected a scalar of that element type");
  EXPECT_FALSE(
      p.Add(OpKind::Reduce, {x, init}, p.Attrs(ReduceAttrs{{0}}), {p.Body({{OpKind::Add, DType::S32}})}).valid());
  EXPECT_EQ(p.Error(), "[dtype] reduce: the body works on s32[], expected f32[]");
}

TEST(Reduce, MonoidsWithInitialValue) {
  Literal x = Numbers({2, 3}, {1, 2, 3, 4, 5, 6});
  auto reduce = [&](OpKind kind, Dims dims, double init) {
    OneOp p;
    ir::ValueId v = p.Add(OpKind::Reduce, {p.Arg({2, 3}), p.Arg(std::vector<int64_t>{})}, p.Attrs(ReduceAttrs{dims}),
                          {p.Body({{kind, DType::F32}})});
    return p.Eval(v, {x, Literal::Number(DType::F32, {}, init)});
  };
  EXPECT_EQ(reduce(OpKind::Add, {1}, 10), Numbers({2}, {16, 25}));
  EXPECT_EQ(reduce(OpKind::Add, {0}, 0), Numbers({3}, {5, 7, 9}));
  EXPECT_EQ(reduce(OpKind::Multiply, {0, 1}, 1), Numbers({}, {720}));
  EXPECT_EQ(reduce(OpKind::Maximum, {1}, 4), Numbers({2}, {4, 6}));
  EXPECT_EQ(reduce(OpKind::Minimum, {}, 3), Numbers({2, 3}, {1, 2, 3, 3, 3, 3}));
}

// Divide is no known monoid: the body itself is applied, in order: ((a / b) / (c / d)) and so on, pair by pair.
TEST(Reduce, AnyElementwiseBody) {
  OneOp p;
  ir::ValueId v = p.Add(OpKind::Reduce, {p.Arg({5, 2}), p.Arg(std::vector<int64_t>{})}, p.Attrs(ReduceAttrs{{0}}),
                        {p.Body({{OpKind::Subtract, DType::F32}})});
  op::Rule rule = op::RuleOf(p.module, p.function(), p.function().insts[p.function().values[v].def]);
  EXPECT_EQ(rule.result_monoid[0], mesh::Monoid::None);
  Literal x = Numbers({5, 2}, {1, 10, 2, 20, 3, 30, 4, 40, 5, 50});
  // 100 - ((1-2)-(3-4) - 5)
  EXPECT_EQ(p.Eval(v, {x, Literal::Number(DType::F32, {}, 100)}), Numbers({2}, {105, 150}));
}

// The largest element and where it is: two arrays through one body.
TEST(Reduce, SeveralArrays) {
  OneOp p;
  ir::FuncId body = p.Body({{OpKind::Maximum, DType::F32}, {OpKind::Maximum, DType::S32}});
  ir::Function& f = p.module.functions[body];
  op::Builder b(p.module, body, p.diags);
  ir::ValueId greater = b.Add1(OpKind::Compare, {f.args[0], f.args[2]}, p.Attrs(CompareAttrs{Direction::Gt}));
  ir::ValueId value =
      b.Add1(OpKind::Select, {greater, p.module.functions[body].args[0], p.module.functions[body].args[2]});
  ir::ValueId index =
      b.Add1(OpKind::Select, {greater, p.module.functions[body].args[1], p.module.functions[body].args[3]});
  p.module.functions[body].results = {value, index};
  ir::ValueId v = p.Add(
      OpKind::Reduce, {p.Arg({2, 3}), p.Arg(DType::S32, {2, 3}), p.Arg(std::vector<int64_t>{}), p.Arg(DType::S32, {})},
      p.Attrs(ReduceAttrs{{1}}), {body});
  std::vector<Literal> results =
      p.EvalAll(v, {Numbers({2, 3}, {3, 9, 4, 8, 1, 7}), Literal::Integers(DType::S32, {2, 3}, {0, 1, 2, 0, 1, 2}),
                    Literal::Number(DType::F32, {}, -1), Literal::Integer(DType::S32, {}, -1)});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0], Numbers({2}, {9, 8}));
  EXPECT_EQ(results[1], Literal::Integers(DType::S32, {2}, {1, 0}));
}

TEST(ReduceTypes, ReducedDimsTakeTheirAxesAlong) {
  OneOp p;
  p.Mesh({{"x", 4}, {"y", 2}});
  ir::ValueId x = p.Arg({8, 6}, p.Sharding({"x", "y"})), init = p.Arg(std::vector<int64_t>{});
  ir::FuncId add = p.Body({{OpKind::Add, DType::F32}}), max = p.Body({{OpKind::Maximum, DType::F32}});
  mesh::Sharding spread = p.Sharding({"x"}, "y"), wrong = p.Sharding({""}, "x");
  EXPECT_EQ(p.Type(p.Add(OpKind::Reduce, {x, init}, p.Attrs(ReduceAttrs{{1}}), {add})), "f32[8@x]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Reduce, {x, init}, p.Attrs(ReduceAttrs{{1}}), {add}, &spread)), "f32[8@x]{U:y}");
  EXPECT_FALSE(p.Add(OpKind::Reduce, {x, init}, p.Attrs(ReduceAttrs{{1}}), {add}, &wrong).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[unreduced]"));
  ir::ValueId u = p.Arg({8, 6}, p.Sharding({"x", ""}, "y"));
  EXPECT_EQ(p.Type(p.Add(OpKind::Reduce, {u, init}, p.Attrs(ReduceAttrs{{1}}), {add})), "f32[8@x]{U:y}");
  EXPECT_FALSE(p.Add(OpKind::Reduce, {u, init}, p.Attrs(ReduceAttrs{{1}}), {max}).valid());
}

}  // namespace
}  // namespace spmdc::ops
