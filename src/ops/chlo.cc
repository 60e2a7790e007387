// CHLO's functions: typed, propagated and evaluated as they stand, and written out in HLO's ops by one library when they
// are lowered. HLO has no opcodes for them.
#include "ops/chlo.h"

#include <cmath>
#include <limits>

#include "ops/chlo_math.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using tensor::DType;

// sqrt((1 - x)(1 + x)).
ir::ValueId Cathetus(const Math& m, ir::ValueId x) {
  ir::ValueId one = m.Constant(1), below = m.Sub(one, x);
  return m.Do(OpKind::Sqrt, m.Mul(below, m.Add(one, x)));
}

ir::ValueId Acos(const Math& m, ir::ValueId x) { return m.Do(OpKind::Atan2, Cathetus(m, x), x); }
ir::ValueId Asin(const Math& m, ir::ValueId x) { return m.Do(OpKind::Atan2, x, Cathetus(m, x)); }
ir::ValueId Atan(const Math& m, ir::ValueId x) { return m.Do(OpKind::Atan2, x, m.Constant(1)); }

// Above this a square overflows or drowns 1: log(2x) is exact then.
double Large(DType dtype) { return dtype == DType::F64 ? 1e150 : 1e15; }

// log(x + sqrt(x + 1) sqrt(x - 1)): roots of their own, so that numbers far below -1 are NaN and not an infinity.
ir::ValueId Acosh(const Math& m, ir::ValueId x) {
  ir::ValueId one = m.Constant(1), above = m.Do(OpKind::Sqrt, m.Add(x, one));
  ir::ValueId below = m.Do(OpKind::Sqrt, m.Sub(x, one));
  ir::ValueId root = m.Mul(above, below);
  ir::ValueId usual = m.Do(OpKind::Log, m.Add(x, root)), log = m.Do(OpKind::Log, x);
  ir::ValueId large = m.Add(log, m.Constant(std::log(2.0)));
  return m.Select(m.Compare(Direction::Gt, x, m.Constant(Large(m.dtype()))), large, usual);
}

// sign(x) log(|x| + sqrt(x^2 + 1)) = sign(x) log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))), which keeps small numbers exact.
ir::ValueId Asinh(const Math& m, ir::ValueId x) {
  ir::ValueId one = m.Constant(1), a = m.Do(OpKind::Abs, x), square = m.Mul(a, a);
  ir::ValueId root = m.Do(OpKind::Sqrt, m.Add(square, one));
  ir::ValueId usual = m.Do(OpKind::LogPlusOne, m.Add(a, m.Div(square, m.Add(one, root))));
  ir::ValueId log = m.Do(OpKind::Log, a), large = m.Add(log, m.Constant(std::log(2.0)));
  ir::ValueId size = m.Select(m.Compare(Direction::Gt, a, m.Constant(Large(m.dtype()))), large, usual);
  return m.Mul(m.Do(OpKind::Sign, x), size);
}

ir::ValueId Atanh(const Math& m, ir::ValueId x) {
  ir::ValueId right = m.Do(OpKind::LogPlusOne, x), left = m.Do(OpKind::LogPlusOne, m.Do(OpKind::Negate, x));
  ir::ValueId difference = m.Sub(right, left);
  return m.Mul(difference, m.Constant(0.5));
}

// e^x / 2 without overflow where that is a number.
ir::ValueId HalfExp(const Math& m, ir::ValueId x) {
  return m.Do(OpKind::Exponential, m.Add(x, m.Constant(std::log(0.5))));
}

ir::ValueId Cosh(const Math& m, ir::ValueId x) {
  ir::ValueId rising = HalfExp(m, x);
  return m.Add(rising, HalfExp(m, m.Do(OpKind::Negate, x)));
}

// With e = e^x - 1: (e + e / (e + 1)) / 2 for small x.
ir::ValueId Sinh(const Math& m, ir::ValueId x) {
  ir::ValueId rising = HalfExp(m, x), large = m.Sub(rising, HalfExp(m, m.Do(OpKind::Negate, x)));
  ir::ValueId e = m.Do(OpKind::ExponentialMinusOne, x), one = m.Constant(1);
  ir::ValueId twice = m.Add(e, m.Div(e, m.Add(e, one))), small = m.Mul(twice, m.Constant(0.5));
  return m.Select(m.Compare(Direction::Lt, m.Do(OpKind::Abs, x), one), small, large);
}

// Rational and polynomial approximations of erfc(a) exp(a^2) for a >= 1: Cephes Math Library, ndtr.c and ndtrf.c.
ir::ValueId ErfcTail(const Math& m, ir::ValueId a) {
  if (m.dtype() != DType::F64) {
    static constexpr double kNear[] = {2.326819970068386E-2,  -1.387039388740657E-1, 3.687424674597105E-1,
                                       -5.824733027278666E-1, 6.210004621745983E-1,  -4.944515323274145E-1,
                                       3.404879937665872E-1,  -2.741127028184656E-1, 5.638259427386472E-1};
    static constexpr double kFar[] = {-1.047766399936249E+1, 1.297719955372516E+1,  -7.495518717768503E+0,
                                      2.921019019210786E+0,  -1.015265279202700E+0, 4.218463358204948E-1,
                                      -2.820767439740514E-1, 5.641895067754075E-1};
    ir::ValueId q = m.Div(m.Constant(1), a), y = m.Mul(q, q);
    ir::ValueId near = m.Polynomial(y, kNear), far = m.Polynomial(y, kFar);
    return m.Mul(q, m.Select(m.Compare(Direction::Lt, a, m.Constant(2)), near, far));
  }
  static constexpr double kP[] = {2.46196981473530512524E-10, 5.64189564831068821977E-1, 7.46321056442269912687E0,
                                  4.86371970985681366614E1,   1.96520832956077098242E2,  5.26445194995477358631E2,
                                  9.34528527171957607540E2,   1.02755188689515710272E3,  5.57535335369399327526E2};
  static constexpr double kQ[] = {1.0,
                                  1.32281951154744992508E1,
                                  8.67072140885989742329E1,
                                  3.54937778887819891062E2,
                                  9.75708501743205489753E2,
                                  1.82390916687909736289E3,
                                  2.24633760818710981792E3,
                                  1.65666309194161350182E3,
                                  5.57535340817727675546E2};
  static constexpr double kR[] = {5.64189583547755073984E-1, 1.27536670759978104416E0, 5.01905042251180477414E0,
                                  6.16021097993053585195E0,  7.40974269950448939160E0, 2.97886665372100240670E0};
  static constexpr double kS[] = {1.0,
                                  2.26052863220117276590E0,
                                  9.39603524938001434673E0,
                                  1.20489539808096656605E1,
                                  1.70814450747565897222E1,
                                  9.60896809063285878198E0,
                                  3.36907645100081516050E0};
  ir::ValueId p = m.Polynomial(a, kP), near = m.Div(p, m.Polynomial(a, kQ));
  ir::ValueId r = m.Polynomial(a, kR), far = m.Div(r, m.Polynomial(a, kS));
  return m.Select(m.Compare(Direction::Lt, a, m.Constant(8)), near, far);
}

ir::ValueId Erfc(const Math& m, ir::ValueId x) {
  ir::ValueId a = m.Do(OpKind::Abs, x), zero = m.Constant(0), one = m.Constant(1);
  ir::ValueId inside = m.Sub(one, m.Do(OpKind::Erf, x));
  ir::ValueId decay = m.Do(OpKind::Exponential, m.Mul(m.Do(OpKind::Negate, a), a));
  // Far out the tail is 0: there a ratio of overflows would not be a number.
  ir::ValueId far = m.Compare(Direction::Gt, a, m.Constant(m.dtype() == DType::F64 ? 28 : 11));
  ir::ValueId tail = m.Select(far, zero, m.Mul(decay, ErfcTail(m, a)));
  ir::ValueId mirrored = m.Sub(m.Constant(2), tail);
  ir::ValueId outside = m.Select(m.Compare(Direction::Lt, x, zero), mirrored, tail);
  outside = m.Select(m.Compare(Direction::Ne, x, x), x, outside);
  return m.Select(m.Compare(Direction::Lt, a, one), inside, outside);
}

ir::ValueId IsInf(const Math& m, ir::ValueId x) {
  ir::ValueId infinity = m.Constant(std::numeric_limits<double>::infinity());
  return m.Compare(Direction::Eq, m.Do(OpKind::Abs, x), infinity);
}
ir::ValueId IsPosInf(const Math& m, ir::ValueId x) {
  return m.Compare(Direction::Eq, x, m.Constant(std::numeric_limits<double>::infinity()));
}
ir::ValueId IsNegInf(const Math& m, ir::ValueId x) {
  return m.Compare(Direction::Eq, x, m.Constant(-std::numeric_limits<double>::infinity()));
}

// Types narrower than f32 are worked out in f32; the result is of the operand's type again, or pred.
template <ir::ValueId (*kFormula)(const Math&, ir::ValueId)>
bool Expand(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ir::ValueId x = cx.operands()[0];
  DType dtype = b.type(x).dtype;
  ir::ValueId wide = dtype == DType::F64 ? x : EmitConvert(b, x, DType::F32);
  ir::ValueId result = kFormula(Math(b, wide), wide);
  cx.Results({b.type(result).dtype == DType::Pred ? result : EmitConvert(b, result, dtype)});
  return true;
}

// Two operands: likewise.
template <ir::ValueId (*kFormula)(const Math&, ir::ValueId, ir::ValueId)>
bool ExpandPair(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ir::ValueId x = cx.operands()[0], y = cx.operands()[1];
  DType dtype = b.type(x).dtype;
  if (dtype != DType::F64) {
    x = EmitConvert(b, x, DType::F32);
    y = EmitConvert(b, y, DType::F32);
  }
  cx.Results({EmitConvert(b, kFormula(Math(b, x), x, y), dtype)});
  return true;
}

// The integer type of twice the width, or the type itself where there is none.
DType TwiceAsWide(DType dtype) {
  bool is_signed = tensor::Class(dtype) == tensor::DClass::Signed;
  int64_t width = tensor::BitWidth(dtype);
  return width <= 4    ? (is_signed ? DType::S8 : DType::U8)
         : width == 8  ? (is_signed ? DType::S16 : DType::U16)
         : width == 16 ? (is_signed ? DType::S32 : DType::U32)
         : width == 32 ? (is_signed ? DType::S64 : DType::U64)
                       : dtype;
}

// The upper half of the product of 64-bit numbers from products of their halves: H. Warren, Hacker's Delight, 8-2.
ir::ValueId UpperHalf(const Math& m, ir::ValueId x, ir::ValueId y, OpKind shift) {
  ir::ValueId low_bits = m.Constant(4294967295.0), half = m.Constant(32);
  ir::ValueId x_low = m.Do(OpKind::And, x, low_bits), x_high = m.Do(shift, x, half);
  ir::ValueId y_low = m.Do(OpKind::And, y, low_bits), y_high = m.Do(shift, y, half);
  ir::ValueId lowest = m.Do(OpKind::ShiftRightLogical, m.Mul(x_low, y_low), half);
  ir::ValueId middle = m.Add(m.Mul(x_high, y_low), lowest);
  ir::ValueId rest = m.Do(OpKind::And, middle, low_bits);
  rest = m.Do(shift, m.Add(m.Mul(x_low, y_high), rest), half);
  ir::ValueId upper = m.Mul(x_high, y_high);
  upper = m.Add(upper, m.Do(shift, middle, half));
  return m.Add(upper, rest);
}

bool ExpandMulhi(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ir::ValueId x = cx.operands()[0], y = cx.operands()[1];
  DType dtype = b.type(x).dtype, wide = TwiceAsWide(dtype);
  bool is_signed = tensor::Class(dtype) == tensor::DClass::Signed;
  OpKind shift = is_signed ? OpKind::ShiftRightArithmetic : OpKind::ShiftRightLogical;
  if (wide == dtype) {
    cx.Results({UpperHalf(Math(b, x), x, y, shift)});
    return true;
  }
  x = EmitConvert(b, x, wide);
  y = EmitConvert(b, y, wide);
  Math m(b, x);
  ir::ValueId product = m.Mul(x, y);
  product = m.Do(shift, product, m.Constant(static_cast<double>(tensor::BitWidth(dtype))));
  cx.Results({EmitConvert(b, product, dtype)});
  return true;
}

// One step of x's bits: up where y is farther from zero on x's side, else down; from zero to the least number on y's side.
bool ExpandNextAfter(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ir::ValueId x = cx.operands()[0], y = cx.operands()[1];
  DType dtype = b.type(x).dtype;
  DType bits_type = tensor::BitWidth(dtype) == 64   ? DType::S64
                    : tensor::BitWidth(dtype) == 32 ? DType::S32
                                                    : DType::S16;
  auto bits = [&](ir::ValueId v) { return b.Add1(OpKind::BitcastConvert, {v}, b.Attrs(ConvertAttrs{bits_type})); };
  ir::ValueId from = bits(x), to = bits(y);
  Math m(b, from), f(b, x);
  ir::ValueId sign = EmitBroadcast(b, EmitConstant(b, op::Identity(mesh::Monoid::Max, bits_type)), b.type(x).dims);
  ir::ValueId rest = m.Do(OpKind::Not, sign), zero = m.Constant(0), one = m.Constant(1);
  ir::ValueId from_size = m.Do(OpKind::And, from, rest), to_size = m.Do(OpKind::And, to, rest);
  ir::ValueId to_sign = m.Do(OpKind::And, to, sign);
  ir::ValueId apart = m.Compare(Direction::Ne, m.Do(OpKind::And, from, sign), to_sign);
  ir::ValueId down = m.Do(OpKind::Or, m.Compare(Direction::Gt, from_size, to_size), apart);
  ir::ValueId next = m.Add(from, m.Select(down, m.Constant(-1), one));
  ir::ValueId least = m.Do(OpKind::Or, to_sign, one);
  next = m.Select(m.Compare(Direction::Eq, from_size, zero), least, next);
  ir::ValueId number = b.Add1(OpKind::BitcastConvert, {next}, b.Attrs(ConvertAttrs{dtype}));
  number = f.Select(f.Compare(Direction::Eq, x, y), y, number);
  ir::ValueId x_is_nan = f.Compare(Direction::Ne, x, x);
  ir::ValueId nan = m.Do(OpKind::Or, x_is_nan, f.Compare(Direction::Ne, y, y));
  cx.Results({f.Select(nan, f.Add(x, y), number)});
  return true;
}

// All operands alike, of a kind of element types.
bool InferAlike(op::InferContext& cx, bool (*accepts)(DType), const std::string& kind) {
  const ir::Type& x = cx.operand(0);
  for (const ir::Type& other : cx.operands) {
    if (!accepts(other.dtype) || other.dtype != x.dtype) {
      return cx.Fail(diag::Kind::DtypeRule, "got " + cx.Show(other) + ", expected operands of one " + kind + " type");
    }
    if (other.dims != x.dims) {
      return cx.Fail(diag::Kind::BroadcastShape,
                     "got " + cx.Show(x) + " and " + cx.Show(other) + ", expected operands of one shape");
    }
  }
  return true;
}

bool InferInteger(op::InferContext& cx) {
  if (!InferAlike(cx, tensor::IsInteger, "integer")) {
    return false;
  }
  cx.Result(cx.operand(0).dtype, cx.operand(0).dims);
  return true;
}

bool InferFloat(op::InferContext& cx) {
  if (!InferAlike(cx, tensor::IsFloat, "float")) {
    return false;
  }
  const ir::Type& x = cx.operand(0);
  bool test = cx.def.kind == OpKind::IsInf || cx.def.kind == OpKind::IsNegInf || cx.def.kind == OpKind::IsPosInf;
  cx.Result(test ? DType::Pred : x.dtype, x.dims);
  return true;
}

void RuleMap(op::RuleBuilder& b) { b.Elementwise(); }

constexpr op::OpDef Function(OpKind kind, int operands, bool (*localize)(op::LocalizeContext&),
                             bool (*eval)(op::EvalContext&), llvm::StringRef native) {
  op::OpDef def;
  def.kind = kind;
  def.dialect = "chlo";
  def.min_operands = def.max_operands = operands;
  def.elementwise = true;
  def.precedence = op::Precedence::PassThrough;
  def.flops = 10;
  def.infer = InferFloat;
  def.rule = RuleMap;
  def.explicit_types = operands == 1 ? UnaryTypes : NaryTypes;
  def.localize = localize;
  def.eval = eval;
  def.native_name = native;
  return def;
}

constexpr op::OpDef MulhiDef() {
  op::OpDef def = Function(OpKind::Mulhi, 2, ExpandMulhi, EvalMulhi, "lax.mulhi");
  def.infer = InferInteger;
  return def;
}

}  // namespace

constinit const op::OpDef kAcos = Function(OpKind::Acos, 1, Expand<Acos>, EvalAcos, "lax.acos");
constinit const op::OpDef kAcosh = Function(OpKind::Acosh, 1, Expand<Acosh>, EvalAcosh, "lax.acosh");
constinit const op::OpDef kAsin = Function(OpKind::Asin, 1, Expand<Asin>, EvalAsin, "lax.asin");
constinit const op::OpDef kAsinh = Function(OpKind::Asinh, 1, Expand<Asinh>, EvalAsinh, "lax.asinh");
constinit const op::OpDef kAtan = Function(OpKind::Atan, 1, Expand<Atan>, EvalAtan, "lax.atan");
constinit const op::OpDef kAtanh = Function(OpKind::Atanh, 1, Expand<Atanh>, EvalAtanh, "lax.atanh");
constinit const op::OpDef kBesselI1e =
    Function(OpKind::BesselI1e, 1, Expand<BesselI1e>, EvalBesselI1e, "lax.bessel_i1e");
constinit const op::OpDef kCosh = Function(OpKind::Cosh, 1, Expand<Cosh>, EvalCosh, "lax.cosh");
constinit const op::OpDef kDigamma = Function(OpKind::Digamma, 1, Expand<Digamma>, EvalDigamma, "lax.digamma");
constinit const op::OpDef kErfInv = Function(OpKind::ErfInv, 1, Expand<ErfInv>, EvalErfInv, "lax.erf_inv");
constinit const op::OpDef kErfc = Function(OpKind::Erfc, 1, Expand<Erfc>, EvalErfc, "lax.erfc");
constinit const op::OpDef kIsInf = Function(OpKind::IsInf, 1, Expand<IsInf>, EvalIsInf, "jnp.isinf");
constinit const op::OpDef kIsNegInf = Function(OpKind::IsNegInf, 1, Expand<IsNegInf>, EvalIsNegInf, "jnp.isneginf");
constinit const op::OpDef kIsPosInf = Function(OpKind::IsPosInf, 1, Expand<IsPosInf>, EvalIsPosInf, "jnp.isposinf");
constinit const op::OpDef kLgamma = Function(OpKind::Lgamma, 1, Expand<Lgamma>, EvalLgamma, "lax.lgamma");
constinit const op::OpDef kMulhi = MulhiDef();
constinit const op::OpDef kNextAfter = Function(OpKind::NextAfter, 2, ExpandNextAfter, EvalNextAfter, "lax.nextafter");
constinit const op::OpDef kPolygamma =
    Function(OpKind::Polygamma, 2, ExpandPair<Polygamma>, EvalPolygamma, "lax.polygamma");
constinit const op::OpDef kSinh = Function(OpKind::Sinh, 1, Expand<Sinh>, EvalSinh, "lax.sinh");
constinit const op::OpDef kZeta = Function(OpKind::Zeta, 2, ExpandPair<Zeta>, EvalZeta, "lax.zeta");

}  // namespace spmdc::ops
