// Elementwise functions of jnp and lax that are one instruction, and the pieces that the prelude makes the others of.
#include "llvm/ADT/STLExtras.h"
#include "ops/elementwise.h"
#include "text/native/elementwise_args.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::DType;

// How a function treats its arguments, besides the op: bits of Builtin::data above the op kind.
enum Flags : int64_t {
  kInexact = 1 << 16,    // integers become floats
  kStrict = 1 << 17,     // lax: no promotion
  kPredOnly = 1 << 18,   // arguments become pred
  kToPred = 1 << 19,     // logical: != 0
  kAccuracy = 1 << 20,   // lax: takes accuracy=
  kUfunc = 1 << 21,      // jnp: takes out= and where=, which must be None
  kByKeyword = 1 << 22,  // jnp: x may be given by keyword
};

OpKind KindOf(const Call& c) { return static_cast<OpKind>(c.builtin.data & 0xFFFF); }
bool Has(const Call& c, Flags flag) { return (c.builtin.data & flag) != 0; }
constexpr int64_t Op(OpKind kind, int64_t flags = 0) { return static_cast<int64_t>(kind) | flags; }

bool Arrays(Call& c, llvm::ArrayRef<Value> values, llvm::SmallVectorImpl<Value>& out) {
  if (Has(c, kStrict)) {
    return StrictArrays(c, values, out);
  }
  if (!PromoteAll(c.ev, c.builtin.name, values, out, Has(c, kInexact))) {
    return false;
  }
  for (Value& a : out) {
    if (Has(c, kToPred)) {
      a = NotZero(c.ev, a);
    }
    if (a.failed()) {
      return false;
    }
  }
  return true;
}

Value Compared(Evaluator& ev, const Value& a, const Value& b, ops::Direction direction) {
  ops::CompareAttrs attrs;
  attrs.direction = direction;
  DType t = TypeOfArray(a).dtype;
  attrs.type = tensor::IsFloat(t) || tensor::IsComplex(t)   ? ops::CompareType::Float
               : tensor::Class(t) == tensor::DClass::Signed ? ops::CompareType::Signed
                                                            : ops::CompareType::Unsigned;
  return ev.tracer().Emit(OpKind::Compare, {a, b}, ev.tracer().Attrs(attrs));
}

// The function of the prelude that computes an op on complex numbers, which the op itself does not take; else null.
const char* OnComplexParts(OpKind op) {
  switch (op) {
    case OpKind::Sinh:
      return "complex_sinh";
    case OpKind::Cosh:
      return "complex_cosh";
    case OpKind::Asin:
      return "complex_asin";
    case OpKind::Acos:
      return "complex_acos";
    case OpKind::Atan:
      return "complex_atan";
    case OpKind::Asinh:
      return "complex_asinh";
    case OpKind::Acosh:
      return "complex_acosh";
    case OpKind::Atanh:
      return "complex_atanh";
    default:
      return nullptr;
  }
}

// Fits the operands x (and y) of a function, and the options that its flags say it has.
bool BindOperands(Call& c, llvm::MutableArrayRef<Value> x) {
  std::string signature = x.size() == 2 ? "x, y" : "x";
  llvm::SmallVector<Value, 4> all(x.size());
  size_t options = 0;
  if ((c.builtin.modules & (kJnp | kNn)) != 0 && !Has(c, kByKeyword)) {
    signature += ", /";
  }
  if (Has(c, kUfunc)) {
    signature += ", *, out=, where=";
    options = 2;
  } else if (Has(c, kAccuracy)) {
    signature += ", *, accuracy=";
    options = 1;
  }
  all.resize(x.size() + options);
  if (!c.Bind(signature, all)) {
    return false;
  }
  std::copy(all.begin(), all.begin() + static_cast<long>(x.size()), x.begin());
  for (size_t i = x.size(); i < all.size() && Has(c, kUfunc); ++i) {
    if (!all[i].none()) {
      return !c.ev.Fail(diag::Kind::NotInLanguage,
                        std::string(c.builtin.name) + "() with out= or where= is not supported")
                  .failed();
    }
  }
  return true;
}

// The element types that lax takes where the op itself takes more.
bool TakesDType(Call& c, OpKind kind, DType type) {
  bool number = type != DType::Pred, complex = tensor::IsComplex(type);
  bool good = true;
  switch (kind) {
    case OpKind::Add:
    case OpKind::Subtract:
    case OpKind::Multiply:
    case OpKind::Divide:
    case OpKind::Remainder:
      good = number;
      break;
    case OpKind::Abs:
      good = number && tensor::Class(type) != tensor::DClass::Unsigned;
      break;
    case OpKind::Power:
      good = complex || tensor::IsFloat(type);
      break;
    case OpKind::Cbrt:
      good = tensor::IsFloat(type);
      break;
    case OpKind::Real:
    case OpKind::Imag:
      good = complex;
      break;
    default:
      break;
  }
  return good || !c.ev.Fail(diag::Kind::DtypeRule, std::string("lax.") + c.builtin.name + " does not accept dtype " +
                                                       tensor::NumpyName(type).str())
                      .failed();
}

Value Unary(Call& c) {
  Value v[1];
  llvm::SmallVector<Value, 1> x;
  if (!BindOperands(c, v) || !Arrays(c, v[0], x) ||
      (Has(c, kStrict) && !TakesDType(c, KindOf(c), TypeOfArray(x[0]).dtype))) {
    return Value::Error();
  }
  DType t = TypeOfArray(x[0]).dtype;
  OpKind kind = KindOf(c);
  bool whole = t == DType::Pred || tensor::IsInteger(t);
  // Rounding integers changes nothing; abs of unsigned neither.
  if ((whole && (kind == OpKind::Floor || kind == OpKind::Ceil) && !Has(c, kStrict)) ||
      (kind == OpKind::Abs && (t == DType::Pred || tensor::Class(t) == tensor::DClass::Unsigned))) {
    return x[0];
  }
  bool real = !tensor::IsComplex(t);
  if (const char* parts = real ? nullptr : OnComplexParts(kind)) {
    return c.ev.CallPrelude(parts, x[0]);
  }
  if (real && kind == OpKind::Real && !Has(c, kStrict)) {
    return x[0];
  }
  if (real && kind == OpKind::Imag && !Has(c, kStrict)) {
    return Full(c.ev, t, TypeOfArray(x[0]).dims, 0);
  }
  if (!real && kind == OpKind::IsFinite && !Has(c, kStrict)) {  // both parts are
    Value parts[] = {c.ev.tracer().Emit(OpKind::Real, x[0]), c.ev.tracer().Emit(OpKind::Imag, x[0])};
    for (Value& part : parts) {
      part = part.failed() ? part : c.ev.tracer().Emit(kind, part);
    }
    return c.ev.has_failed() ? Value::Error() : c.ev.tracer().Emit(OpKind::And, {parts[0], parts[1]});
  }
  Value result = c.ev.tracer().Emit(kind, x[0]);
  if (!result.failed()) {
    result.as<ArrayObj>().weak = x[0].as<ArrayObj>().weak && TypeOfArray(result).dtype == t;
  }
  return result;
}

// JAX's names of primitives, as its messages have them.
llvm::StringRef Primitive(OpKind kind) {
  switch (kind) {
    case OpKind::Subtract:
      return "sub";
    case OpKind::Multiply:
      return "mul";
    case OpKind::Divide:
      return "div";
    case OpKind::Maximum:
      return "max";
    case OpKind::Minimum:
      return "min";
    case OpKind::Power:
      return "pow";
    case OpKind::Remainder:
      return "rem";
    default:
      return ir::Mnemonic(kind);
  }
}

// Operands of lax functions must have equal shapes, but for scalars.
bool SameShapes(Call& c, llvm::ArrayRef<Value> arrays, llvm::StringRef name) {
  const ir::Type* shape = nullptr;
  for (const Value& a : arrays) {
    const ir::Type& type = TypeOfArray(a);
    if (type.rank() == 0) {
      continue;
    }
    if (shape != nullptr && shape->rank() != type.rank()) {
      return !c.ev.Fail(diag::Kind::BroadcastShape, name.str() +
                                                        ": arrays must have the same number of dimensions, got " +
                                                        ShapeText(shape->dims) + ", " + ShapeText(type.dims))
                  .failed();
    }
    shape = &type;
  }
  return true;
}

// lax.pow takes integers as exponents of other numbers: they become such numbers.
bool WholeExponent(Call& c, OpKind kind, llvm::MutableArrayRef<Value> v) {
  std::optional<DTypeWeak> base = TypeOf(v[0]), exponent = TypeOf(v[1]);
  bool whole = Has(c, kStrict) && kind == OpKind::Power && base && exponent && tensor::IsInteger(exponent->dtype) &&
               (tensor::IsFloat(base->dtype) || tensor::IsComplex(base->dtype));
  if (whole) {
    v[1] = ToArray(c.ev, v[1], base->dtype);
  }
  return !whole || !v[1].failed();
}

Value Binary(Call& c) {
  Value v[2];
  llvm::SmallVector<Value, 2> x;
  OpKind kind = KindOf(c);
  if (!BindOperands(c, v) || !WholeExponent(c, kind, v) || !Arrays(c, v, x) ||
      (Has(c, kStrict) && !TakesDType(c, kind, TypeOfArray(x[0]).dtype))) {
    return Value::Error();
  }
  if ((Has(c, kStrict) && !SameShapes(c, x, Primitive(kind))) || !BroadcastAll(c.ev, Primitive(kind), x)) {
    return Value::Error();
  }
  // subtract and the like on pred are refused by the op; add and multiply are or and and.
  return c.ev.tracer().Emit(kind, x, {}, x[0].as<ArrayObj>().weak && x[1].as<ArrayObj>().weak);
}

// jnp orders complex numbers by their real parts, then by their imaginary ones.
Value ComparedInOrder(Evaluator& ev, const Value& a, const Value& b, ops::Direction direction) {
  Tracer& tracer = ev.tracer();
  Value real_a = tracer.Emit(OpKind::Real, a), real_b = tracer.Emit(OpKind::Real, b);
  Value imag_a = tracer.Emit(OpKind::Imag, a), imag_b = tracer.Emit(OpKind::Imag, b);
  bool less = direction == ops::Direction::Lt || direction == ops::Direction::Le;
  if (ev.has_failed()) {
    return Value::Error();
  }
  Value first = Compared(ev, real_a, real_b, less ? ops::Direction::Lt : ops::Direction::Gt);
  Value same = Compared(ev, real_a, real_b, ops::Direction::Eq);
  Value second = Compared(ev, imag_a, imag_b, direction);
  Value ties = ev.has_failed() ? Value::Error() : tracer.Emit(OpKind::And, {same, second});
  return ties.failed() ? ties : tracer.Emit(OpKind::Or, {first, ties});
}

Value Comparison(Call& c) {
  static constexpr llvm::StringRef kNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  Value v[2];
  llvm::SmallVector<Value, 2> x;
  int64_t direction = c.builtin.data & 0xFFFF;
  if (!BindOperands(c, v) || !Arrays(c, v, x) || (Has(c, kStrict) && !SameShapes(c, x, kNames[direction])) ||
      !BroadcastAll(c.ev, kNames[direction], x)) {
    return Value::Error();
  }
  auto compare = static_cast<ops::Direction>(direction);
  bool ordered = compare != ops::Direction::Eq && compare != ops::Direction::Ne;
  return ordered && !Has(c, kStrict) && tensor::IsComplex(TypeOfArray(x[0]).dtype)
             ? ComparedInOrder(c.ev, x[0], x[1], compare)
             : Compared(c.ev, x[0], x[1], compare);
}

const Builtin kElementwiseTable[] = {
    // One operand.
    {kJnp | kMethod, "abs", Unary, Op(OpKind::Abs)},
    {kJnp, "absolute", Unary, Op(OpKind::Abs)},
    {kLax, "abs", Unary, Op(OpKind::Abs, kStrict)},
    {kJnp, "negative", Unary, Op(OpKind::Negate, kUfunc)},
    {kLax, "neg", Unary, Op(OpKind::Negate, kStrict)},
    {kJnp, "sign", Unary, Op(OpKind::Sign)},
    {kLax, "sign", Unary, Op(OpKind::Sign, kStrict)},
    {kJnp, "ceil", Unary, Op(OpKind::Ceil)},
    {kLax, "ceil", Unary, Op(OpKind::Ceil, kStrict)},
    {kJnp, "floor", Unary, Op(OpKind::Floor)},
    {kLax, "floor", Unary, Op(OpKind::Floor, kStrict)},
    {kPreludeOnly, "round_even", Unary, Op(OpKind::RoundNearestEven)},
    {kPreludeOnly, "round_away", Unary, Op(OpKind::RoundNearestAfz)},
    {kJnp, "exp", Unary, Op(OpKind::Exponential, kInexact)},
    {kLax, "exp", Unary, Op(OpKind::Exponential, kStrict | kAccuracy)},
    {kJnp, "expm1", Unary, Op(OpKind::ExponentialMinusOne, kInexact)},
    {kLax, "expm1", Unary, Op(OpKind::ExponentialMinusOne, kStrict | kAccuracy)},
    {kJnp, "log", Unary, Op(OpKind::Log, kInexact)},
    {kLax, "log", Unary, Op(OpKind::Log, kStrict | kAccuracy)},
    {kJnp, "log1p", Unary, Op(OpKind::LogPlusOne, kInexact)},
    {kLax, "log1p", Unary, Op(OpKind::LogPlusOne, kStrict | kAccuracy)},
    {kJnp, "sqrt", Unary, Op(OpKind::Sqrt, kInexact)},
    {kLax, "sqrt", Unary, Op(OpKind::Sqrt, kStrict | kAccuracy)},
    {kLax, "rsqrt", Unary, Op(OpKind::Rsqrt, kStrict | kAccuracy)},
    {kJnp, "cbrt", Unary, Op(OpKind::Cbrt, kInexact)},
    {kLax, "cbrt", Unary, Op(OpKind::Cbrt, kStrict | kAccuracy)},
    {kJnp, "sin", Unary, Op(OpKind::Sine, kInexact)},
    {kLax, "sin", Unary, Op(OpKind::Sine, kStrict | kAccuracy)},
    {kJnp, "cos", Unary, Op(OpKind::Cosine, kInexact)},
    {kLax, "cos", Unary, Op(OpKind::Cosine, kStrict | kAccuracy)},
    {kJnp, "tan", Unary, Op(OpKind::Tan, kInexact)},
    {kLax, "tan", Unary, Op(OpKind::Tan, kStrict | kAccuracy)},
    {kJnp, "tanh", Unary, Op(OpKind::Tanh, kInexact)},
    {kLax, "tanh", Unary, Op(OpKind::Tanh, kStrict | kAccuracy)},
    {kNn, "tanh", Unary, Op(OpKind::Tanh, kStrict)},
    {kJnp, "arccos", Unary, Op(OpKind::Acos, kInexact)},
    {kJnp, "acos", Unary, Op(OpKind::Acos, kInexact)},
    {kLax, "acos", Unary, Op(OpKind::Acos, kStrict)},
    {kJnp, "arcsin", Unary, Op(OpKind::Asin, kInexact)},
    {kJnp, "asin", Unary, Op(OpKind::Asin, kInexact)},
    {kLax, "asin", Unary, Op(OpKind::Asin, kStrict)},
    {kJnp, "arctan", Unary, Op(OpKind::Atan, kInexact)},
    {kJnp, "atan", Unary, Op(OpKind::Atan, kInexact)},
    {kLax, "atan", Unary, Op(OpKind::Atan, kStrict)},
    {kJnp, "arccosh", Unary, Op(OpKind::Acosh, kInexact)},
    {kJnp, "acosh", Unary, Op(OpKind::Acosh, kInexact)},
    {kLax, "acosh", Unary, Op(OpKind::Acosh, kStrict)},
    {kJnp, "arcsinh", Unary, Op(OpKind::Asinh, kInexact)},
    {kJnp, "asinh", Unary, Op(OpKind::Asinh, kInexact)},
    {kLax, "asinh", Unary, Op(OpKind::Asinh, kStrict)},
    {kJnp, "arctanh", Unary, Op(OpKind::Atanh, kInexact)},
    {kJnp, "atanh", Unary, Op(OpKind::Atanh, kInexact)},
    {kLax, "atanh", Unary, Op(OpKind::Atanh, kStrict)},
    {kJnp, "sinh", Unary, Op(OpKind::Sinh, kInexact)},
    {kLax, "sinh", Unary, Op(OpKind::Sinh, kStrict)},
    {kJnp, "cosh", Unary, Op(OpKind::Cosh, kInexact)},
    {kLax, "cosh", Unary, Op(OpKind::Cosh, kStrict)},
    {kLax, "erfc", Unary, Op(OpKind::Erfc, kStrict)},
    {kSpecial, "erfc", Unary, Op(OpKind::Erfc, kInexact | kByKeyword)},
    {kLax, "erf_inv", Unary, Op(OpKind::ErfInv, kStrict)},
    {kSpecial, "erfinv", Unary, Op(OpKind::ErfInv, kInexact | kByKeyword)},
    {kLax, "lgamma", Unary, Op(OpKind::Lgamma, kStrict)},
    {kSpecial, "gammaln", Unary, Op(OpKind::Lgamma, kInexact | kByKeyword)},
    {kLax, "digamma", Unary, Op(OpKind::Digamma, kStrict)},
    {kSpecial, "digamma", Unary, Op(OpKind::Digamma, kInexact | kByKeyword)},
    {kLax, "bessel_i1e", Unary, Op(OpKind::BesselI1e, kStrict)},
    {kSpecial, "i1e", Unary, Op(OpKind::BesselI1e, kInexact | kByKeyword)},
    {kPreludeOnly, "float_isinf", Unary, Op(OpKind::IsInf)},
    {kPreludeOnly, "float_isneginf", Unary, Op(OpKind::IsNegInf)},
    {kPreludeOnly, "float_isposinf", Unary, Op(OpKind::IsPosInf)},
    {kLax, "logistic", Unary, Op(OpKind::Logistic, kStrict | kAccuracy)},
    {kLax, "erf", Unary, Op(OpKind::Erf, kStrict)},
    {kSpecial, "erf", Unary, Op(OpKind::Erf, kInexact | kByKeyword)},
    {kJnp, "isfinite", Unary, Op(OpKind::IsFinite, kInexact)},
    {kLax, "is_finite", Unary, Op(OpKind::IsFinite, kStrict)},
    {kJnp, "logical_not", Unary, Op(OpKind::Not, kToPred)},
    {kJnp, "bitwise_not", Unary, Op(OpKind::Not)},
    {kJnp, "invert", Unary, Op(OpKind::Not)},
    {kJnp, "bitwise_invert", Unary, Op(OpKind::Not)},
    {kLax, "bitwise_not", Unary, Op(OpKind::Not, kStrict)},
    {kLax, "population_count", Unary, Op(OpKind::Popcnt, kStrict)},
    {kLax, "clz", Unary, Op(OpKind::CountLeadingZeros, kStrict)},
    {kJnp, "real", Unary, Op(OpKind::Real)},
    {kLax, "real", Unary, Op(OpKind::Real, kStrict)},
    {kJnp, "imag", Unary, Op(OpKind::Imag)},
    {kLax, "imag", Unary, Op(OpKind::Imag, kStrict)},
    // Two operands.
    {kJnp, "add", Binary, Op(OpKind::Add, kUfunc)},
    {kLax, "add", Binary, Op(OpKind::Add, kStrict)},
    {kJnp, "subtract", Binary, Op(OpKind::Subtract, kUfunc)},
    {kLax, "sub", Binary, Op(OpKind::Subtract, kStrict)},
    {kJnp, "multiply", Binary, Op(OpKind::Multiply, kUfunc)},
    {kLax, "mul", Binary, Op(OpKind::Multiply, kStrict)},
    {kJnp, "divide", Binary, Op(OpKind::Divide, kInexact)},
    {kJnp, "true_divide", Binary, Op(OpKind::Divide, kInexact)},
    {kLax, "div", Binary, Op(OpKind::Divide, kStrict)},
    {kLax, "rem", Binary, Op(OpKind::Remainder, kStrict)},
    {kJnp, "maximum", Binary, Op(OpKind::Maximum, kUfunc)},
    {kLax, "max", Binary, Op(OpKind::Maximum, kStrict)},
    {kJnp, "minimum", Binary, Op(OpKind::Minimum, kUfunc)},
    {kLax, "min", Binary, Op(OpKind::Minimum, kStrict)},
    {kLax, "pow", Binary, Op(OpKind::Power, kStrict)},
    {kPreludeOnly, "power_of", Binary, Op(OpKind::Power)},
    {kJnp, "float_power", Binary, Op(OpKind::Power, kInexact)},
    {kJnp, "arctan2", Binary, Op(OpKind::Atan2, kInexact)},
    {kJnp, "atan2", Binary, Op(OpKind::Atan2, kInexact)},
    {kLax, "atan2", Binary, Op(OpKind::Atan2, kStrict)},
    {kJnp, "nextafter", Binary, Op(OpKind::NextAfter, kInexact | kUfunc)},
    {kLax, "nextafter", Binary, Op(OpKind::NextAfter, kStrict)},
    {kLax, "zeta", Binary, Op(OpKind::Zeta, kStrict)},
    {kLax, "polygamma", Binary, Op(OpKind::Polygamma, kStrict)},
    {kLax, "mulhi", Binary, Op(OpKind::Mulhi, kStrict)},
    {kLax, "complex", Binary, Op(OpKind::Complex, kStrict)},
    {kJnp, "logical_and", Binary, Op(OpKind::And, kToPred | kUfunc)},
    {kJnp, "logical_or", Binary, Op(OpKind::Or, kToPred | kUfunc)},
    {kJnp, "logical_xor", Binary, Op(OpKind::Xor, kToPred | kUfunc)},
    {kJnp, "bitwise_and", Binary, Op(OpKind::And, kUfunc)},
    {kLax, "bitwise_and", Binary, Op(OpKind::And, kStrict)},
    {kJnp, "bitwise_or", Binary, Op(OpKind::Or, kUfunc)},
    {kLax, "bitwise_or", Binary, Op(OpKind::Or, kStrict)},
    {kJnp, "bitwise_xor", Binary, Op(OpKind::Xor, kUfunc)},
    {kLax, "bitwise_xor", Binary, Op(OpKind::Xor, kStrict)},
    {kJnp, "left_shift", Binary, Op(OpKind::ShiftLeft)},
    {kJnp, "bitwise_left_shift", Binary, Op(OpKind::ShiftLeft)},
    {kLax, "shift_left", Binary, Op(OpKind::ShiftLeft, kStrict)},
    {kLax, "shift_right_arithmetic", Binary, Op(OpKind::ShiftRightArithmetic, kStrict)},
    {kLax, "shift_right_logical", Binary, Op(OpKind::ShiftRightLogical, kStrict)},
    {kPreludeOnly, "shift_right_signed", Binary, Op(OpKind::ShiftRightArithmetic)},
    {kPreludeOnly, "shift_right_unsigned", Binary, Op(OpKind::ShiftRightLogical)},
    // Comparisons: data is the direction.
    {kJnp, "equal", Comparison, 0},
    {kLax, "eq", Comparison, 0 | kStrict},
    {kJnp, "not_equal", Comparison, 1},
    {kLax, "ne", Comparison, 1 | kStrict},
    {kJnp, "less", Comparison, 2},
    {kLax, "lt", Comparison, 2 | kStrict},
    {kJnp, "less_equal", Comparison, 3},
    {kLax, "le", Comparison, 3 | kStrict},
    {kJnp, "greater", Comparison, 4},
    {kLax, "gt", Comparison, 4 | kStrict},
    {kJnp, "greater_equal", Comparison, 5},
    {kLax, "ge", Comparison, 5 | kStrict},
    // Others.
};

}  // namespace

bool StrictArrays(Call& c, llvm::ArrayRef<Value> values, llvm::SmallVectorImpl<Value>& out) {
  std::string name = std::string("lax.") + c.builtin.name;
  for (const Value& v : values) {
    if (!IsArrayLike(v)) {
      return !c.ev.Fail(diag::Kind::ShapeRule, name + " requires arrays or scalars, got " + TypeName(v)).failed();
    }
  }
  std::optional<DTypeWeak> joined = ResultType(c.ev, values);
  if (!joined) {
    return false;
  }
  std::string types;
  bool differ = false;
  for (const Value& v : values) {
    DTypeWeak own = *TypeOf(v);
    types += (types.empty() ? "" : ", ") + tensor::NumpyName(own.dtype).str();
    // Weak types take the others' type if their kind allows it.
    bool fits = own.dtype == joined->dtype || own.weak;
    differ |= !fits;
  }
  if (differ) {
    return !c.ev.Fail(diag::Kind::DtypeRule, name + " requires arguments to have the same dtypes, got " + types,
                      "use jnp's function, which promotes types, or astype")
                .failed();
  }
  for (const Value& v : values) {
    Value array = v.is(VK::Array) ? Convert(c.ev, v, joined->dtype, joined->weak) : ToArray(c.ev, v, joined->dtype);
    if (array.failed()) {
      return false;
    }
    array.as<ArrayObj>().weak = joined->weak;
    out.push_back(array);
  }
  return true;
}

Value NotZero(Evaluator& ev, const Value& array) {
  const ir::Type type = TypeOfArray(array);
  if (type.dtype == DType::Pred) {
    return array;
  }
  return Compared(ev, array, Full(ev, type.dtype, type.dims, 0), ops::Direction::Ne);
}

llvm::ArrayRef<Builtin> ElementwiseBuiltins() { return kElementwiseTable; }

}  // namespace spmdc::text::native
