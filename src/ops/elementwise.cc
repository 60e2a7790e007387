// Elementwise ops: the table of the regular ones, convert, reduce_precision, compare, select and clamp.
#include "ops/elementwise.h"

#include <array>

#include "op/op_def.h"
#include "ops/elementwise_eval.h"
#include "ops/elementwise_text.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using tensor::DClass;
using tensor::DType;

// --- Element types ---------------------------------------------------------------------------------------------------

// Sets of element classes.
enum : uint8_t {
  Bool = 1,
  Signed = 2,
  Unsigned = 4,
  Float = 8,
  Complex = 16,
  Int = Signed | Unsigned,
  Bits = Bool | Int,
  Inexact = Float | Complex,
  Any = Bits | Inexact,
};

enum class Makes : uint8_t { Same, Pred, Real, ComplexOf };

struct Row {
  uint8_t accepts = 0;
  Makes makes = Makes::Same;
};

// By kind; empty for kinds without a row.
constexpr std::array<Row, ir::kNumOpKinds> MakeRows() {
  std::array<Row, ir::kNumOpKinds> rows{};
#define SPMDC_UNARY(name, accepted, result, ...) \
  rows[static_cast<size_t>(OpKind::name)] = {static_cast<uint8_t>(accepted), Makes::result};
#define SPMDC_BINARY SPMDC_UNARY
#include "ops/elementwise.def"
  return rows;
}
constexpr std::array<Row, ir::kNumOpKinds> kRows = MakeRows();

uint8_t ClassBit(DType dtype) {
  switch (tensor::Class(dtype)) {
    case DClass::Pred:
      return Bool;
    case DClass::Signed:
      return Signed;
    case DClass::Unsigned:
      return Unsigned;
    case DClass::Float:
      return Float;
    case DClass::Complex:
      return Complex;
    case DClass::Other:
      break;
  }
  return 0;
}

// "signed integer, float or complex".
std::string Classes(uint8_t set) {
  static constexpr llvm::StringRef kClassNames[] = {"pred", "signed integer", "unsigned integer", "float", "complex"};
  std::string text;
  for (int bit = 0; bit < 5; ++bit) {
    if ((set >> bit & 1) != 0) {
      bool last = (set >> (bit + 1)) == 0;
      text += (text.empty() ? "" : last ? " or " : ", ") + kClassNames[bit].str();
    }
  }
  return text;
}

ir::Type Unsharded(ir::Type type) {
  type.sharding = {};
  return type;
}

ir::Type WithDType(ir::Type type, DType dtype) {
  type.dtype = dtype;
  return Unsharded(std::move(type));
}

// --- Inference -------------------------------------------------------------------------------------------------------

bool Accept(op::InferContext& cx, const ir::Type& type, uint8_t accepted) {
  if ((ClassBit(type.dtype) & accepted) != 0) {
    return true;
  }
  return cx.Fail(diag::Kind::DtypeRule,
                 "got " + cx.Show(type) + ", expected elements of " + Classes(accepted) + " type");
}

bool SameTypes(op::InferContext& cx, const ir::Type& a, const ir::Type& b) {
  if (a.dtype != b.dtype) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "got " + cx.Show(a) + " and " + cx.Show(b) + ", expected operands of one element type",
                   "convert one operand to the other's element type");
  }
  if (a.dims != b.dims) {
    return cx.Fail(diag::Kind::BroadcastShape,
                   "got " + cx.Show(a) + " and " + cx.Show(b) + ", expected operands of one shape",
                   "broadcast one operand to the other's shape");
  }
  return true;
}

bool InferRow(op::InferContext& cx) {
  const Row& row = kRows[static_cast<size_t>(cx.def.kind)];
  const ir::Type& first = cx.operand(0);
  if (!Accept(cx, first, row.accepts) || (cx.operands.size() == 2 && !SameTypes(cx, first, cx.operand(1)))) {
    return false;
  }
  switch (row.makes) {
    case Makes::Same:
      cx.Result(Unsharded(first));
      return true;
    case Makes::Pred:
      cx.Result(WithDType(first, DType::Pred));
      return true;
    case Makes::Real:
      cx.Result(WithDType(first, tensor::RealPart(first.dtype)));
      return true;
    case Makes::ComplexOf:
      break;
  }
  if (first.dtype != DType::F32 && first.dtype != DType::F64) {
    return cx.Fail(diag::Kind::DtypeRule, "got parts of " + cx.Show(first) + ", expected f32 or f64");
  }
  cx.Result(WithDType(first, first.dtype == DType::F32 ? DType::C64 : DType::C128));
  return true;
}

bool InferConvert(op::InferContext& cx) {
  if (!Accept(cx, cx.operand(0), Any)) {
    return false;
  }
  DType to = cx.attrs<ConvertAttrs>().dtype;
  if (ClassBit(to) == 0) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "the new element type is " + tensor::HloName(to).str() + ", expected a type that has elements");
  }
  cx.Result(WithDType(cx.operand(0), to));
  return true;
}

bool InferReducePrecision(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ReducePrecisionAttrs>();
  if (!Accept(cx, cx.operand(0), Float)) {
    return false;
  }
  if (attrs.exponent_bits < 1 || attrs.mantissa_bits < 0) {
    return cx.Fail(diag::Kind::ShapeRule, "got exponent_bits=" + std::to_string(attrs.exponent_bits) +
                                              " and mantissa_bits=" + std::to_string(attrs.mantissa_bits) +
                                              ", expected at least 1 and 0");
  }
  cx.Result(Unsharded(cx.operand(0)));
  return true;
}

bool InferCompare(op::InferContext& cx) {
  const auto& attrs = cx.attrs<CompareAttrs>();
  const ir::Type& type = cx.operand(0);
  if (!Accept(cx, type, Any) || !SameTypes(cx, type, cx.operand(1))) {
    return false;
  }
  bool orders = attrs.direction != Direction::Eq && attrs.direction != Direction::Ne;
  if (orders && tensor::IsComplex(type.dtype)) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "complex numbers have no order; got " + cx.Show(type) + ", expected the direction EQ or NE");
  }
  uint8_t fits = Any;
  if (attrs.type == CompareType::Float || attrs.type == CompareType::TotalOrder) {
    fits = Inexact;
  } else if (attrs.type == CompareType::Signed) {
    fits = Signed;
  } else if (attrs.type == CompareType::Unsigned) {
    fits = Unsigned | Bool;
  }
  if (!Accept(cx, type, fits)) {
    return false;
  }
  cx.Result(WithDType(type, DType::Pred));
  return true;
}

bool InferSelect(op::InferContext& cx) {
  const ir::Type& which = cx.operand(0);
  const ir::Type& on_true = cx.operand(1);
  if (which.dtype != DType::Pred) {
    return cx.Fail(diag::Kind::DtypeRule, "the predicate is " + cx.Show(which) + ", expected pred elements");
  }
  if (!SameTypes(cx, on_true, cx.operand(2))) {
    return false;
  }
  if (which.rank() != 0 && which.dims != on_true.dims) {
    return cx.Fail(diag::Kind::BroadcastShape, "the predicate is " + cx.Show(which) + " and the cases are " +
                                                   cx.Show(on_true) + ", expected a scalar or the cases' shape");
  }
  cx.Result(Unsharded(on_true));
  return true;
}

bool InferClamp(op::InferContext& cx) {
  const ir::Type& x = cx.operand(1);
  if (!Accept(cx, x, Any)) {
    return false;
  }
  for (size_t i : {0, 2}) {
    const ir::Type& bound = cx.operand(i);
    if (bound.dtype != x.dtype) {
      return cx.Fail(diag::Kind::DtypeRule,
                     "the bound " + cx.Show(bound) + " has another element type than the operand " + cx.Show(x));
    }
    if (bound.rank() != 0 && bound.dims != x.dims) {
      return cx.Fail(diag::Kind::BroadcastShape, "the bound is " + cx.Show(bound) + " and the operand " + cx.Show(x) +
                                                     ", expected a scalar or the operand's shape");
    }
  }
  cx.Result(Unsharded(x));
  return true;
}

// --- Rule ------------------------------------------------------------------------------------------------------------

void ElementwiseRule(op::RuleBuilder& builder) { builder.Elementwise(); }

// Conversions to a float type that loses nothing pass through sums; all others round or wrap each term.
op::Linear ConvertLinear(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  DType from = module.type(function, function.operands(inst)[0]).dtype;
  DType to = module.type(function, function.result(inst)).dtype;
  bool exact =
      (ClassBit(from) & Inexact) != 0 && (ClassBit(to) & Inexact) != 0 && tensor::Epsilon(to) <= tensor::Epsilon(from);
  return exact ? op::Linear::Unary : op::Linear::No;
}

// --- Definitions -----------------------------------------------------------------------------------------------------

constexpr op::OpDef Elementwise(OpKind kind, int operands, bool (*infer)(op::InferContext&),
                                bool (*eval)(op::EvalContext&), llvm::StringRef hlo, llvm::StringRef native,
                                op::Linear linear, double flops) {
  op::OpDef def;
  def.kind = kind;
  if (kind == OpKind::Erf) {
    def.dialect = "chlo";  // HLO has it, StableHLO does not
  }
  def.min_operands = def.max_operands = operands;
  def.elementwise = true;
  def.linear = linear;
  def.precedence = op::Precedence::PassThrough;
  def.flops = flops;
  def.infer = infer;
  def.rule = ElementwiseRule;
  def.explicit_types = kind == OpKind::Add        ? AddTypes
                       : kind == OpKind::Multiply ? MultiplyTypes
                       : operands == 1            ? UnaryTypes
                                                  : NaryTypes;
  def.eval = eval;
  def.hlo_opcode = hlo;
  def.native_name = native;
  def.parse_stablehlo = kind == OpKind::Complex ? ParseComplex : nullptr;
  return def;
}

constexpr op::OpDef ConvertDef() {
  op::OpDef def = Elementwise(OpKind::Convert, 1, InferConvert, EvalConvert, "convert", "lax.convert_element_type",
                              op::Linear::Unary, 1);
  def.make_attrs = ir::NewAttrs<ConvertAttrs>;
  def.explicit_types = KeepTypes;
  def.linear_of = ConvertLinear;
  def.parse_stablehlo = ParseConvert;
  def.from_generic = ConvertFromGeneric;
  def.print_stablehlo = PrintMlirConvert;
  def.print_native = PrintNativeConvert;
  def.read_hlo = ReadHloConvert;
  return def;
}

constexpr op::OpDef ReducePrecisionDef() {
  op::OpDef def = Elementwise(OpKind::ReducePrecision, 1, InferReducePrecision, EvalReducePrecision, "reduce-precision",
                              "lax.reduce_precision", op::Linear::No, 1);
  def.make_attrs = ir::NewAttrs<ReducePrecisionAttrs>;
  def.explicit_types = KeepTypes;
  def.parse_stablehlo = ParseReducePrecision;
  def.from_generic = ReducePrecisionFromGeneric;
  def.print_stablehlo = PrintMlirReducePrecision;
  def.read_hlo = ReadHloReducePrecision;
  def.print_hlo = PrintHloReducePrecision;
  return def;
}

constexpr op::OpDef CompareDef() {
  op::OpDef def = Elementwise(OpKind::Compare, 2, InferCompare, EvalCompare, "compare", "", op::Linear::No, 1);
  def.make_attrs = ir::NewAttrs<CompareAttrs>;
  def.parse_stablehlo = ParseCompare;
  def.from_generic = CompareFromGeneric;
  def.print_stablehlo = PrintMlirCompare;
  def.read_hlo = ReadHloCompare;
  def.print_hlo = PrintHloCompare;
  def.print_native = PrintNativeCompare;
  return def;
}

bool WordsOfSelect(op::WordsContext& cx) {
  cx.mask = true;
  return true;
}

constexpr op::OpDef SelectDef() {
  op::OpDef def = Elementwise(OpKind::Select, 3, InferSelect, EvalSelect, "select", "lax.select", op::Linear::No, 1);
  def.explicit_types = SelectTypes;
  def.parse_stablehlo = ParseSelect;
  def.on_words = WordsOfSelect;
  return def;
}

constexpr op::OpDef ClampDef() {
  op::OpDef def = Elementwise(OpKind::Clamp, 3, InferClamp, EvalClamp, "clamp", "lax.clamp", op::Linear::No, 1);
  def.explicit_types = ClampTypes;
  return def;
}

}  // namespace

#define SPMDC_UNARY(name, accepted, result, hlo, native, linear, flops) \
  constinit const op::OpDef k##name =                                   \
      Elementwise(OpKind::name, 1, InferRow, Eval##name, hlo, native, op::Linear::linear, flops);
#define SPMDC_BINARY(name, accepted, result, hlo, native, linear, flops) \
  constinit const op::OpDef k##name =                                    \
      Elementwise(OpKind::name, 2, InferRow, Eval##name, hlo, native, op::Linear::linear, flops);
#include "ops/elementwise.def"

constinit const op::OpDef kConvert = ConvertDef();
constinit const op::OpDef kReducePrecision = ReducePrecisionDef();
constinit const op::OpDef kCompare = CompareDef();
constinit const op::OpDef kSelect = SelectDef();
constinit const op::OpDef kClamp = ClampDef();

}  // namespace spmdc::ops
