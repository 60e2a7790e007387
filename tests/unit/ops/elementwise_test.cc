// Elementwise ops: what they accept, their answers at the edges, and loops over scalars and arrays.
#include "ops/elementwise.h"

#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "one_op.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using tensor::DType;
using tensor::Literal;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Literal Floats(std::vector<double> values, DType dtype = DType::F32) {
  return Literal::Numbers(dtype, {static_cast<int64_t>(values.size())}, values);
}
Literal Ints(DType dtype, std::vector<int64_t> values) {
  return Literal::Integers(dtype, {static_cast<int64_t>(values.size())}, values);
}

// The op on operands of these values, all of one shape.
Literal Evaluate(OpKind kind, std::vector<Literal> values, ir::AttrsId (*attrs)(OneOp&) = nullptr) {
  OneOp p;
  llvm::SmallVector<ir::ValueId, 3> operands;
  for (const Literal& value : values) {
    operands.push_back(p.Arg(value.dtype(), value.dims().vec()));
  }
  ir::ValueId v = p.Add(kind, operands, attrs != nullptr ? attrs(p) : ir::AttrsId());
  EXPECT_TRUE(v.valid()) << p.Error();
  return p.Eval(v, std::move(values));
}

std::vector<int64_t> IntsOf(const Literal& literal) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < literal.size(); ++i) {
    values.push_back(literal.GetInt(i));
  }
  return values;
}

TEST(ElementwiseInfer, TypesOfResults) {
  OneOp p;
  ir::ValueId x = p.Arg({8, 4}), c = p.Arg(DType::C64, {3}), i = p.Arg(DType::S32, {2});
  EXPECT_EQ(p.Type(p.Add(OpKind::Add, {x, x})), "f32[8,4]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Abs, {c})), "f32[3]");
  EXPECT_EQ(p.Type(p.Add(OpKind::IsFinite, {x})), "pred[8,4]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Complex, {x, x})), "c64[8,4]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Imag, {c})), "f32[3]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Popcnt, {i})), "s32[2]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Convert, {i}, p.Attrs(ConvertAttrs{DType::BF16}))), "bf16[2]");
  EXPECT_EQ(p.Type(p.Add(OpKind::Compare, {i, i}, p.Attrs(CompareAttrs{}))), "pred[2]");
}

TEST(ElementwiseInfer, RefusesWithWhatWasFound) {
  OneOp p;
  ir::ValueId x = p.Arg({8, 4}), y = p.Arg({8, 5}), i = p.Arg(DType::S32, {8, 4}), b = p.Arg(DType::Pred, {3}),
              c = p.Arg(DType::C64, {3});
  EXPECT_FALSE(p.Add(OpKind::Add, {x, y}).valid());
  EXPECT_EQ(p.Error(), "[broadcast-shape] add: got f32[8,4] and f32[8,5], expected operands of one shape");
  EXPECT_FALSE(p.Add(OpKind::Multiply, {x, i}).valid());
  EXPECT_EQ(p.Error(), "[dtype] multiply: got f32[8,4] and s32[8,4], expected operands of one element type");
  EXPECT_FALSE(p.Add(OpKind::Tanh, {i}).valid());
  EXPECT_EQ(p.Error(), "[dtype] tanh: got s32[8,4], expected elements of float or complex type");
  EXPECT_FALSE(p.Add(OpKind::Add, {x}).valid());
  EXPECT_EQ(p.Error(), "[operand-count] add: got 1 operands, expected 2");
  EXPECT_FALSE(p.Add(OpKind::Select, {b, x, x}).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[broadcast-shape] select: the predicate is pred[3] and the cases are f32[8,4]"));
  EXPECT_FALSE(p.Add(OpKind::Compare, {c, c}, p.Attrs(CompareAttrs{Direction::Lt})).valid());
  EXPECT_THAT(p.Error(), HasSubstr("complex numbers have no order"));
}

TEST(ElementwiseRule, OneMapFactorADimAndScalarsHaveNone) {
  OneOp p;
  ir::ValueId x = p.Arg({8, 4}), s = p.Arg(std::vector<int64_t>{}), b = p.Arg(DType::Pred, {});
  EXPECT_EQ(p.Rule(p.Add(OpKind::Add, {x, x})), "([i, j], [i, j]) -> ([i, j])  i=8 map, j=4 map");
  EXPECT_EQ(p.Rule(p.Add(OpKind::Clamp, {s, x, s})), "([], [i, j], []) -> ([i, j])  i=8 map, j=4 map");
  EXPECT_EQ(p.Rule(p.Add(OpKind::Select, {b, x, x})), "([], [i, j], [i, j]) -> ([i, j])  i=8 map, j=4 map");
}

// Every op of the table: a rule of one factor a dim, an evaluation, a spelling, and no other element types than it says.
TEST(ElementwiseTable, EveryRowAnswersEveryQuestion) {
  const OpKind kinds[] = {
#define SPMDC_UNARY(name, ...) OpKind::name,
#define SPMDC_BINARY(name, ...) OpKind::name,
#include "ops/elementwise.def"
  };
  for (OpKind kind : kinds) {
    const op::OpDef& def = op::Def(kind);
    int accepted = 0;
    for (DType dtype : tensor::AllDTypes()) {
      OneOp p;
      llvm::SmallVector<ir::ValueId, 2> operands(static_cast<size_t>(def.min_operands), p.Arg(dtype, {3, 2}));
      ir::ValueId v = p.Add(kind, operands);
      if (!v.valid()) {
        EXPECT_THAT(p.Error(), HasSubstr("[dtype] " + ir::Mnemonic(kind).str()));
        continue;
      }
      ++accepted;
      EXPECT_EQ(p.Rule(v), def.min_operands == 1 ? "([i, j]) -> ([i, j])  i=3 map, j=2 map"
                                                 : "([i, j], [i, j]) -> ([i, j])  i=3 map, j=2 map");
      std::vector<Literal> values(operands.size(), Literal::Number(dtype, {3, 2}, 1));
      Literal result = p.Eval(v, values);
      EXPECT_EQ(result.dtype(), p.module.type(p.function(), v).dtype) << ir::Mnemonic(kind).str();
      EXPECT_EQ(result.size(), 6);
    }
    EXPECT_GT(accepted, 0) << ir::Mnemonic(kind).str();
    EXPECT_FALSE(def.hlo_opcode.empty());
    EXPECT_FALSE(def.native_name.empty());
    EXPECT_EQ(op::FindByHloOpcode(def.hlo_opcode), &def);
  }
}

TEST(ElementwiseEval, IntegersWrapAndDivideAsXla) {
  Literal a = Ints(DType::S32, {7, -7, INT32_MIN, 5, INT32_MAX});
  Literal b = Ints(DType::S32, {2, 2, -1, 0, 1});
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Divide, {a, b})), (std::vector<int64_t>{3, -3, INT32_MIN, -1, INT32_MAX}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Remainder, {a, b})), (std::vector<int64_t>{1, -1, 0, 5, 0}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Add, {a, b})), (std::vector<int64_t>{9, -5, INT32_MAX, 5, INT32_MIN}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Abs, {a})), (std::vector<int64_t>{7, 7, INT32_MIN, 5, INT32_MAX}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Multiply, {Ints(DType::U16, {65535}), Ints(DType::U16, {65535})})),
            (std::vector<int64_t>{1}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Divide, {Ints(DType::U8, {9}), Ints(DType::U8, {0})})),
            (std::vector<int64_t>{255}));
}

TEST(ElementwiseEval, PowersOfIntegers) {
  Literal a = Ints(DType::S32, {3, -1, -1, 2, 1, 0});
  Literal b = Ints(DType::S32, {4, -3, -2, -1, -5, 0});
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Power, {a, b})), (std::vector<int64_t>{81, -1, 1, 0, 1, 1}));
}

TEST(ElementwiseEval, ShiftsBeyondTheWidth) {
  Literal a = Ints(DType::S8, {-128, 64, -1, 1});
  Literal by = Ints(DType::S8, {8, 1, -1, 7});
  EXPECT_EQ(IntsOf(Evaluate(OpKind::ShiftRightArithmetic, {a, by})), (std::vector<int64_t>{-1, 32, -1, 0}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::ShiftRightLogical, {a, by})), (std::vector<int64_t>{0, 32, 0, 0}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::ShiftLeft, {a, by})), (std::vector<int64_t>{0, -128, 0, -128}));
  // Four bits: what leaves them is gone, and the top one of an unsigned number is a sign to the arithmetic shift.
  EXPECT_EQ(IntsOf(Evaluate(OpKind::ShiftLeft, {Ints(DType::U4, {9}), Ints(DType::U4, {1})})),
            (std::vector<int64_t>{2}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::ShiftRightArithmetic, {Ints(DType::U4, {8, 4}), Ints(DType::U4, {1, 1})})),
            (std::vector<int64_t>{12, 2}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::ShiftRightLogical, {Ints(DType::S4, {-1}), Ints(DType::S4, {1})})),
            (std::vector<int64_t>{7}));
}

TEST(ElementwiseEval, BitsAreCountedInTheTypesWidth) {
  EXPECT_EQ(IntsOf(Evaluate(OpKind::CountLeadingZeros, {Ints(DType::S32, {1, 0, -1})})),
            (std::vector<int64_t>{31, 32, 0}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::CountLeadingZeros, {Ints(DType::U4, {1})})), (std::vector<int64_t>{3}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Popcnt, {Ints(DType::S8, {-1, 5})})), (std::vector<int64_t>{8, 2}));
}

TEST(ElementwiseEval, NanWinsMaximaAndClamps) {
  Literal a = Floats({1, kNan, 3, -0.0}), b = Floats({2, 0, kNan, 0.0});
  Literal max = Evaluate(OpKind::Maximum, {a, b}), min = Evaluate(OpKind::Minimum, {a, b});
  EXPECT_EQ(max.GetReal(0), 2);
  EXPECT_TRUE(std::isnan(max.GetReal(1)) && std::isnan(max.GetReal(2)));
  EXPECT_FALSE(std::signbit(max.GetReal(3)));
  EXPECT_TRUE(std::isnan(min.GetReal(1)) && std::signbit(min.GetReal(3)));
  Literal clamped = Evaluate(OpKind::Clamp, {Floats({0, 0, 0}), Floats({-1, 5, kNan}), Floats({2, 2, 2})});
  EXPECT_EQ(clamped.GetReal(0), 0);
  EXPECT_EQ(clamped.GetReal(1), 2);
  EXPECT_TRUE(std::isnan(clamped.GetReal(2)));
}

TEST(ElementwiseEval, SignsAndRounding) {
  Literal x = Floats({2.5, -2.5, 3.5, -0.5, kNan});
  EXPECT_EQ(Evaluate(OpKind::RoundNearestEven, {x}).GetReal(0), 2);
  EXPECT_EQ(Evaluate(OpKind::RoundNearestAfz, {x}).GetReal(0), 3);
  EXPECT_EQ(Evaluate(OpKind::RoundNearestAfz, {x}).GetReal(1), -3);
  EXPECT_TRUE(std::signbit(Evaluate(OpKind::RoundNearestEven, {x}).GetReal(3)));
  Literal sign = Evaluate(OpKind::Sign, {Floats({-3, 0, 7, kNan})});
  EXPECT_EQ(sign.GetReal(0), -1);
  EXPECT_EQ(sign.GetReal(2), 1);
  EXPECT_TRUE(std::isnan(sign.GetReal(3)));
}

TEST(ElementwiseEval, NarrowFloatsRoundAfterEachOp) {
  Literal a = Floats({1, 256}, DType::BF16), b = Floats({0.00390625, 1}, DType::BF16);
  Literal sum = Evaluate(OpKind::Add, {a, b});
  EXPECT_EQ(sum.dtype(), DType::BF16);
  EXPECT_EQ(sum.GetReal(0), 1);    // half an ulp, ties to even
  EXPECT_EQ(sum.GetReal(1), 256);  // 257 has no bf16
}

TEST(ElementwiseEval, Comparisons) {
  auto less = [](OneOp& p) { return p.Attrs(CompareAttrs{Direction::Lt, CompareType::Float}); };
  auto total = [](OneOp& p) { return p.Attrs(CompareAttrs{Direction::Lt, CompareType::TotalOrder}); };
  Literal a = Floats({1, kNan, -0.0, kInf}), b = Floats({2, 1, 0.0, kNan});
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Compare, {a, b}, less)), (std::vector<int64_t>{1, 0, 0, 0}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Compare, {a, b}, total)), (std::vector<int64_t>{1, 0, 1, 1}));
}

TEST(ElementwiseEval, ConversionsSaturate) {
  auto to_s8 = [](OneOp& p) { return p.Attrs(ConvertAttrs{DType::S8}); };
  auto to_bf16 = [](OneOp& p) { return p.Attrs(ConvertAttrs{DType::BF16}); };
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Convert, {Floats({-1.9, 300, kNan, -kInf})}, to_s8)),
            (std::vector<int64_t>{-1, 127, 0, -128}));
  EXPECT_EQ(IntsOf(Evaluate(OpKind::Convert, {Ints(DType::S32, {300})}, to_s8)), (std::vector<int64_t>{44}));
  EXPECT_EQ(Evaluate(OpKind::Convert, {Floats({1.00390625, kNan})}, to_bf16).GetReal(0), 1);
  EXPECT_TRUE(std::isnan(Evaluate(OpKind::Convert, {Floats({1, kNan})}, to_bf16).GetReal(1)));
}

TEST(ElementwiseEval, ReducePrecision) {
  auto half = [](OneOp& p) { return p.Attrs(ReducePrecisionAttrs{5, 10}); };
  Literal x = Evaluate(OpKind::ReducePrecision, {Floats({1.0 / 3, 1e6, 1e-9, -70000, kNan})}, half);
  EXPECT_EQ(x.GetReal(0), 0.333251953125);
  EXPECT_EQ(x.GetReal(1), kInf);
  EXPECT_EQ(x.GetReal(2), 0);
  EXPECT_EQ(x.GetReal(3), -kInf);
  EXPECT_TRUE(std::isnan(x.GetReal(4)));
}

TEST(ElementwiseEval, ScalarsStandForAllElements) {
  OneOp p;
  ir::ValueId x = p.Arg({3}), s = p.Arg(std::vector<int64_t>{}), b = p.Arg(DType::Pred, {});
  Literal clamped = p.Eval(p.Add(OpKind::Clamp, {s, x, s}), {Literal::Number(DType::F32, {}, 0), Floats({-1, 0.5, 9}),
                                                             Literal::Number(DType::F32, {}, 1)});
  EXPECT_EQ(clamped, Floats({0, 0.5, 1}));
  Literal chosen = p.Eval(p.Add(OpKind::Select, {b, x, x}),
                          {Literal::Integer(DType::Pred, {}, 0), Floats({1, 2, 3}), Floats({4, 5, 6})});
  EXPECT_EQ(chosen, Floats({4, 5, 6}));
}

TEST(ElementwiseEval, WiderRunsKeepTheirWidth) {
  OneOp p;
  ir::ValueId x = p.Arg(DType::BF16, {1});
  ir::ValueId y = p.Add(OpKind::Exponential, {x});
  Literal wide = p.Eval(y, {Floats({1}, DType::F64)}, /*widened=*/true);
  EXPECT_EQ(wide.dtype(), DType::F64);
  EXPECT_DOUBLE_EQ(wide.GetReal(0), std::exp(1.0));
}

TEST(ElementwiseTypes, JoinDimsAndRefuseClashes) {
  OneOp p;
  p.Mesh({{"x", 2}, {"y", 4}});
  ir::ValueId a = p.Arg({8, 4}, p.Sharding({"x", ""})), b = p.Arg({8, 4}, p.Sharding({"", "y"})),
              c = p.Arg({8, 4}, p.Sharding({"y", ""})), d = p.Arg({8, 4}, p.Sharding({"", "x"}));
  EXPECT_EQ(p.Type(p.Add(OpKind::Add, {a, b})), "f32[8@x,4@y]");
  EXPECT_FALSE(p.Add(OpKind::Add, {a, c}).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[broadcast-clash] add: operands are sharded differently: dim 0 over 'x'"));
  EXPECT_FALSE(p.Add(OpKind::Add, {a, d}).valid());
  EXPECT_THAT(p.Error(), HasSubstr("[illegal-result]"));
}

TEST(ElementwiseTypes, SumsThatAreStillSpread) {
  OneOp p;
  p.Mesh({{"x", 2}, {"y", 4}});
  ir::ValueId u = p.Arg({8, 4}, p.Sharding({"", ""}, "x")), r = p.Arg({8, 4}, p.Sharding({"", ""}, "", "x")),
              plain = p.Arg({8, 4});
  EXPECT_EQ(p.Type(p.Add(OpKind::Add, {u, u})), "f32[8,4]{U:x}");
  EXPECT_EQ(p.Type(p.Add(OpKind::Multiply, {u, r})), "f32[8,4]{U:x}");
  EXPECT_EQ(p.Type(p.Add(OpKind::Tanh, {r})), "f32[8,4]{R:x}");
  for (auto [kind, operands] : {std::pair(OpKind::Add, std::vector{u, plain}),
                                {OpKind::Multiply, {u, u}},
                                {OpKind::Multiply, {u, plain}},
                                {OpKind::Subtract, {u, u}},
                                {OpKind::Add, {r, plain}},
                                {OpKind::Negate, {u}}}) {
    EXPECT_FALSE(p.Add(kind, operands).valid()) << ir::Mnemonic(kind).str();
    EXPECT_THAT(p.Error(), HasSubstr("[unreduced]"));
  }
}

}  // namespace
}  // namespace spmdc::ops
