// The loops that apply an element's function to arrays.
#include "ops/elementwise_eval.h"

#include "llvm/Support/MathExtras.h"
#include "ops/elementwise.h"
#include "ops/elementwise_fn.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

template <typename T>
constexpr DType DTypeOf() {
  if constexpr (std::is_same_v<T, PredBit>) {
    return DType::Pred;
  } else if constexpr (std::is_same_v<T, float>) {
    return DType::F32;
  } else if constexpr (std::is_same_v<T, double>) {
    return DType::F64;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return DType::C64;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return DType::C128;
  } else {
    constexpr DType kSigned[] = {DType::S8, DType::S16, DType::S32, DType::S64};
    constexpr DType kUnsigned[] = {DType::U8, DType::U16, DType::U32, DType::U64};
    constexpr size_t kLog = std::countr_zero(sizeof(T));
    return std::is_signed_v<T> ? kSigned[kLog] : kUnsigned[kLog];
  }
}

void Finish(op::EvalContext& cx, Literal computed) {
  cx.results.push_back(FromCompute(std::move(computed), cx.dtype(cx.result_type().dtype)));
}

template <typename Fn, typename T>
Literal Apply1(const Literal& x) {
  using R = std::invoke_result_t<Fn, T>;
  Literal result = Literal::Unwritten(DTypeOf<R>(), x.dims());
  llvm::ArrayRef<T> in = x.data<T>();
  llvm::MutableArrayRef<R> out = result.mutable_data<R>();
  Fn fn;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = fn(in[i]);
  }
  return result;
}

template <typename Fn>
bool EvalUnary(op::EvalContext& cx) {
  Literal x = ToCompute(cx.operand(0));
  Finish(cx, VisitComputeType(x.dtype(), [&](auto tag) {
           using T = typename decltype(tag)::type;
           if constexpr (std::is_invocable_v<Fn, T>) {
             return Apply1<Fn, T>(x);
           } else {
             SPMDC_CHECK(false, "an element type that inference refuses");
             return Literal();
           }
         }));
  return true;
}

// fn(a[i], b[i]), where an array of one element stands for any number.
template <typename T, typename R, typename Fn>
Literal Apply2(const Literal& a, const Literal& b, Fn fn) {
  bool a_is_one = a.size() == 1 && b.size() != 1;
  Literal result = Literal::Unwritten(DTypeOf<R>(), a_is_one ? b.dims() : a.dims());
  const T* x = a.data<T>().data();
  const T* y = b.data<T>().data();
  llvm::MutableArrayRef<R> out = result.mutable_data<R>();
  if (a_is_one) {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = fn(x[0], y[i]);
    }
  } else if (b.size() == 1) {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = fn(x[i], y[0]);
    }
  } else {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = fn(x[i], y[i]);
    }
  }
  return result;
}

template <typename Fn>
Literal Binary(const Literal& a, const Literal& b) {
  return VisitComputeType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_invocable_v<Fn, T, T>) {
      return Apply2<T, std::invoke_result_t<Fn, T, T>>(a, b, Fn());
    } else {
      SPMDC_CHECK(false, "an element type that inference refuses");
      return Literal();
    }
  });
}

template <typename Fn>
bool EvalBinary(op::EvalContext& cx) {
  Finish(cx, Binary<Fn>(ToCompute(cx.operand(0)), ToCompute(cx.operand(1))));
  return true;
}

// Functions of an integer's own bits, whatever its width.
bool EvalBitCount(op::EvalContext& cx, int64_t (*count)(uint64_t bits, int width)) {
  const Literal& x = cx.operand(0);
  int width = tensor::BitWidth(x.dtype());
  Literal result(x.dtype(), x.dims());
  for (int64_t i = 0, n = x.size(); i < n; ++i) {
    result.SetInt(i, count(static_cast<uint64_t>(x.GetInt(i)) & (~uint64_t{0} >> (64 - width)), width));
  }
  cx.results.push_back(std::move(result));
  return true;
}

// Shifts of integers narrower than a byte, bit by bit of their true width: the bytes they are kept in would not see what
// is pushed out, nor the sign of an unsigned one.
Literal ShiftNarrow(const Literal& x, const Literal& count, ir::OpKind kind) {
  int64_t width = tensor::BitWidth(x.dtype());
  int64_t mask = (int64_t{1} << width) - 1;
  Literal result(x.dtype(), x.dims());
  for (int64_t i = 0, n = x.size(); i < n; ++i) {
    int64_t bits = x.GetInt(i) & mask;
    int64_t by = count.GetInt(i) & mask;
    if (kind == ir::OpKind::ShiftRightArithmetic) {
      bits -= (bits >> (width - 1)) << width;  // its sign, extended
    }
    bool out = by >= width;
    int64_t shifted = kind == ir::OpKind::ShiftLeft ? (out ? 0 : bits << by) : bits >> (out ? width : by);
    result.SetInt(i, shifted);
  }
  return result;
}

template <typename Fn>
bool EvalShift(op::EvalContext& cx) {
  if (tensor::BitWidth(cx.operand(0).dtype()) >= 8) {
    return EvalBinary<Fn>(cx);
  }
  cx.results.push_back(ShiftNarrow(cx.operand(0), cx.operand(1), cx.inst.op));
  return true;
}

}  // namespace

bool EvalCountLeadingZeros(op::EvalContext& cx) {
  return EvalBitCount(cx, [](uint64_t bits, int width) -> int64_t {
    return static_cast<int64_t>(std::countl_zero(bits)) - (64 - width);
  });
}

bool EvalPopcnt(op::EvalContext& cx) {
  return EvalBitCount(cx, [](uint64_t bits, int) -> int64_t { return std::popcount(bits); });
}

bool EvalShiftLeft(op::EvalContext& cx) { return EvalShift<fn::ShiftLeft>(cx); }
bool EvalShiftRightArithmetic(op::EvalContext& cx) { return EvalShift<fn::ShiftRightArithmetic>(cx); }
bool EvalShiftRightLogical(op::EvalContext& cx) { return EvalShift<fn::ShiftRightLogical>(cx); }

#define SPMDC_EVAL_UNARY(name) \
  bool Eval##name(op::EvalContext& cx) { return EvalUnary<fn::name>(cx); }
SPMDC_EVAL_UNARY(Abs)
SPMDC_EVAL_UNARY(Cbrt)
SPMDC_EVAL_UNARY(Ceil)
SPMDC_EVAL_UNARY(Cosine)
SPMDC_EVAL_UNARY(Erf)
SPMDC_EVAL_UNARY(Exponential)
SPMDC_EVAL_UNARY(ExponentialMinusOne)
SPMDC_EVAL_UNARY(Floor)
SPMDC_EVAL_UNARY(Imag)
SPMDC_EVAL_UNARY(IsFinite)
SPMDC_EVAL_UNARY(Log)
SPMDC_EVAL_UNARY(LogPlusOne)
SPMDC_EVAL_UNARY(Logistic)
SPMDC_EVAL_UNARY(Negate)
SPMDC_EVAL_UNARY(Not)
SPMDC_EVAL_UNARY(Real)
SPMDC_EVAL_UNARY(RoundNearestAfz)
SPMDC_EVAL_UNARY(RoundNearestEven)
SPMDC_EVAL_UNARY(Rsqrt)
SPMDC_EVAL_UNARY(Sign)
SPMDC_EVAL_UNARY(Sine)
SPMDC_EVAL_UNARY(Sqrt)
SPMDC_EVAL_UNARY(Tan)
SPMDC_EVAL_UNARY(Tanh)
#undef SPMDC_EVAL_UNARY

#define SPMDC_EVAL_BINARY(name) \
  bool Eval##name(op::EvalContext& cx) { return EvalBinary<fn::name>(cx); }
SPMDC_EVAL_BINARY(Add)
SPMDC_EVAL_BINARY(And)
SPMDC_EVAL_BINARY(Atan2)
SPMDC_EVAL_BINARY(Complex)
SPMDC_EVAL_BINARY(Divide)
SPMDC_EVAL_BINARY(Maximum)
SPMDC_EVAL_BINARY(Minimum)
SPMDC_EVAL_BINARY(Multiply)
SPMDC_EVAL_BINARY(Or)
SPMDC_EVAL_BINARY(Power)
SPMDC_EVAL_BINARY(Remainder)
SPMDC_EVAL_BINARY(Subtract)
SPMDC_EVAL_BINARY(Xor)
#undef SPMDC_EVAL_BINARY

// --- convert, reduce_precision ---------------------------------------------------------------------------------------

bool EvalConvert(op::EvalContext& cx) {
  cx.results.push_back(ConvertLiteral(cx.operand(0), cx.dtype(cx.attrs<ConvertAttrs>().dtype)));
  return true;
}

namespace {

// The shape of a binary float in bits U.
struct FloatBits {
  int mantissa;
  int exponent;
};

// Rounds the mantissa to nearest, ties to even; exponents that do not fit become infinity or zero of the same sign.
template <typename U>
U ReducePrecision(U bits, FloatBits from, int exponent_bits, int mantissa_bits) {
  const U sign_mask = static_cast<U>(U{1} << (from.mantissa + from.exponent));
  const U exponent_mask = static_cast<U>(((U{1} << from.exponent) - 1) << from.mantissa);
  const U sign = bits & sign_mask;
  U magnitude = static_cast<U>(bits & ~sign_mask);
  if (magnitude > exponent_mask) {
    return bits;  // NaN
  }
  if (mantissa_bits < from.mantissa) {
    int dropped = from.mantissa - mantissa_bits;
    U last = static_cast<U>(magnitude >> dropped & 1);
    U half_less_one = static_cast<U>((U{1} << (dropped - 1)) - 1);
    magnitude = static_cast<U>((magnitude + half_less_one + last) & ~static_cast<U>((U{1} << dropped) - 1));
  }
  if (exponent_bits < from.exponent) {
    U bias = static_cast<U>((U{1} << (from.exponent - 1)) - 1);
    U reduced_bias = static_cast<U>((U{1} << (exponent_bits - 1)) - 1);
    U exponent = static_cast<U>(magnitude & exponent_mask);
    if (exponent > static_cast<U>((bias + reduced_bias) << from.mantissa)) {
      magnitude = exponent_mask;
    } else if (exponent <= static_cast<U>((bias - reduced_bias) << from.mantissa)) {
      magnitude = 0;
    }
  }
  return static_cast<U>(sign | magnitude);
}

template <typename U>
Literal ReducePrecisionOf(const Literal& x, FloatBits from, const ReducePrecisionAttrs& attrs) {
  Literal result = Literal::Unwritten(x.dtype(), x.dims());
  llvm::ArrayRef<U> in = x.data<U>();
  llvm::MutableArrayRef<U> out = result.mutable_data<U>();
  int exponent = static_cast<int>(std::min<int64_t>(attrs.exponent_bits, from.exponent));
  int mantissa = static_cast<int>(std::min<int64_t>(attrs.mantissa_bits, from.mantissa));
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = ReducePrecision<U>(in[i], from, exponent, mantissa);
  }
  return result;
}

}  // namespace

bool EvalReducePrecision(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<ReducePrecisionAttrs>();
  const Literal& x = cx.operand(0);
  switch (x.dtype()) {
    case DType::F64:
      cx.results.push_back(ReducePrecisionOf<uint64_t>(x, {52, 11}, attrs));
      return true;
    case DType::F16:
      cx.results.push_back(ReducePrecisionOf<uint16_t>(x, {10, 5}, attrs));
      return true;
    case DType::BF16:
      cx.results.push_back(ReducePrecisionOf<uint16_t>(x, {7, 8}, attrs));
      return true;
    default:
      Finish(cx, ReducePrecisionOf<uint32_t>(ToCompute(x), {23, 8}, attrs));
      return true;
  }
}

// --- compare, select, clamp ------------------------------------------------------------------------------------------

namespace {

template <typename T>
bool Holds(Direction direction, const T& a, const T& b) {
  switch (direction) {
    case Direction::Eq:
      return a == b;
    case Direction::Ne:
      return !(a == b);
    default:
      break;
  }
  if constexpr (!ComplexElement<T> && !std::is_same_v<T, PredBit>) {
    switch (direction) {
      case Direction::Lt:
        return a < b;
      case Direction::Le:
        return a <= b;
      case Direction::Gt:
        return a > b;
      default:
        return a >= b;
    }
  } else if constexpr (std::is_same_v<T, PredBit>) {
    return Holds<int>(direction, a ? 1 : 0, b ? 1 : 0);
  }
  return false;
}

template <typename T, Direction kDirection>
Literal CompareAs(const Literal& a, const Literal& b) {
  return Apply2<T, PredBit>(
      a, b, [](const T& x, const T& y) -> PredBit { return {static_cast<uint8_t>(Holds(kDirection, x, y) ? 1 : 0)}; });
}

template <typename T>
Literal Compare(Direction direction, const Literal& a, const Literal& b) {
  switch (direction) {
    case Direction::Eq:
      return CompareAs<T, Direction::Eq>(a, b);
    case Direction::Ne:
      return CompareAs<T, Direction::Ne>(a, b);
    case Direction::Lt:
      return CompareAs<T, Direction::Lt>(a, b);
    case Direction::Le:
      return CompareAs<T, Direction::Le>(a, b);
    case Direction::Gt:
      return CompareAs<T, Direction::Gt>(a, b);
    case Direction::Ge:
      break;
  }
  return CompareAs<T, Direction::Ge>(a, b);
}

// IEEE's total order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN, as the order of signed integers.
Literal TotalOrderKeys(const Literal& x) {
  Literal wide = ConvertLiteral(x, DType::F64);
  Literal keys(DType::S64, x.dims());
  llvm::ArrayRef<int64_t> in = wide.data<int64_t>();
  llvm::MutableArrayRef<int64_t> out = keys.mutable_data<int64_t>();
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = in[i] < 0 ? in[i] ^ INT64_MAX : in[i];
  }
  return keys;
}

}  // namespace

bool EvalCompare(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<CompareAttrs>();
  Literal a = ToCompute(cx.operand(0));
  Literal b = ToCompute(cx.operand(1));
  if (attrs.type == CompareType::TotalOrder && tensor::IsFloat(a.dtype())) {
    a = TotalOrderKeys(a);
    b = TotalOrderKeys(b);
  }
  Finish(cx, VisitComputeType(a.dtype(),
                              [&](auto tag) { return Compare<typename decltype(tag)::type>(attrs.direction, a, b); }));
  return true;
}

namespace {

template <typename U>
void SelectInto(const Literal& which, const Literal& on_true, const Literal& on_false, Literal& result) {
  llvm::ArrayRef<PredBit> p = which.data<PredBit>();
  llvm::ArrayRef<U> x = on_true.data<U>(), y = on_false.data<U>();
  llvm::MutableArrayRef<U> out = result.mutable_data<U>();
  size_t p_step = p.size() == 1 ? 0 : 1, x_step = x.size() == 1 ? 0 : 1, y_step = y.size() == 1 ? 0 : 1;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = p[i * p_step] ? x[i * x_step] : y[i * y_step];
  }
}

}  // namespace

bool EvalSelect(op::EvalContext& cx) {
  const Literal& which = cx.operand(0);
  const Literal& on_true = cx.operand(1);
  const Literal& on_false = cx.operand(2);
  const Literal& like = on_true.size() != 1 ? on_true : on_false.size() != 1 ? on_false : which;
  llvm::ArrayRef<int64_t> dims = like.size() == 1 ? on_true.dims() : like.dims();
  Literal result(on_true.dtype(), dims);
  switch (tensor::ByteWidth(on_true.dtype())) {
    case 1:
      SelectInto<uint8_t>(which, on_true, on_false, result);
      break;
    case 2:
      SelectInto<uint16_t>(which, on_true, on_false, result);
      break;
    case 4:
      SelectInto<uint32_t>(which, on_true, on_false, result);
      break;
    case 8:
      SelectInto<uint64_t>(which, on_true, on_false, result);
      break;
    default:
      SelectInto<std::complex<double>>(which, on_true, on_false, result);
      break;
  }
  cx.results.push_back(std::move(result));
  return true;
}

bool EvalClamp(op::EvalContext& cx) {
  Literal low = Binary<fn::Maximum>(ToCompute(cx.operand(1)), ToCompute(cx.operand(0)));
  Finish(cx, Binary<fn::Minimum>(low, ToCompute(cx.operand(2))));
  return true;
}

}  // namespace spmdc::ops
