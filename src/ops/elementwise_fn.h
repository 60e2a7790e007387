// The regular elementwise ops on single elements, with XLA's answers at the edges: a function object per row of
// elementwise.def. Which element types an op has is which overloads its object has.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "ops/typed.h"

namespace spmdc::ops::fn {

// Integer arithmetic wraps.
template <IntElement T>
T Wrapped(uint64_t bits) {
  return static_cast<T>(bits);
}
template <IntElement T>
uint64_t BitsOf(T x) {
  return static_cast<uint64_t>(x);
}

// An inexact function that std has for floats and complex numbers alike.
#define SPMDC_STD_INEXACT(name, function) \
  struct name {                           \
    template <InexactElement T>           \
    T operator()(T x) const {             \
      return std::function(x);            \
    }                                     \
  };
SPMDC_STD_INEXACT(Cosine, cos)
SPMDC_STD_INEXACT(Exponential, exp)
SPMDC_STD_INEXACT(Log, log)
SPMDC_STD_INEXACT(Sine, sin)
SPMDC_STD_INEXACT(Sqrt, sqrt)
SPMDC_STD_INEXACT(Tan, tan)
SPMDC_STD_INEXACT(Tanh, tanh)
#undef SPMDC_STD_INEXACT

#define SPMDC_STD_FLOAT(name, function) \
  struct name {                         \
    template <FloatElement T>           \
    T operator()(T x) const {           \
      return std::function(x);          \
    }                                   \
  };
SPMDC_STD_FLOAT(Ceil, ceil)
SPMDC_STD_FLOAT(Erf, erf)
SPMDC_STD_FLOAT(Floor, floor)
SPMDC_STD_FLOAT(RoundNearestAfz, round)
SPMDC_STD_FLOAT(RoundNearestEven, nearbyint)
#undef SPMDC_STD_FLOAT

struct Abs {
  template <FloatElement T>
  T operator()(T x) const {
    return std::fabs(x);
  }
  template <ComplexElement T>
  auto operator()(T x) const {
    return std::abs(x);
  }
  template <IntElement T>
  T operator()(T x) const {
    return x < 0 ? Wrapped<T>(0 - BitsOf(x)) : x;
  }
};

struct Cbrt {
  template <FloatElement T>
  T operator()(T x) const {
    return std::cbrt(x);
  }
  template <ComplexElement T>
  T operator()(T x) const {
    return x == T(0) ? x : std::pow(x, typename T::value_type(1) / 3);
  }
};

struct ExponentialMinusOne {
  template <FloatElement T>
  T operator()(T x) const {
    return std::expm1(x);
  }
  // exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin(b/2)^2, which keeps small numbers exact.
  template <ComplexElement T>
  T operator()(T x) const {
    auto a = x.real(), b = x.imag();
    auto half = std::sin(b / 2);
    return {std::expm1(a) * std::cos(b) - 2 * half * half, std::exp(a) * std::sin(b)};
  }
};

struct Imag {
  template <FloatElement T>
  T operator()(T) const {
    return 0;
  }
  template <ComplexElement T>
  auto operator()(T x) const {
    return x.imag();
  }
};

struct Real {
  template <FloatElement T>
  T operator()(T x) const {
    return x;
  }
  template <ComplexElement T>
  auto operator()(T x) const {
    return x.real();
  }
};

struct IsFinite {
  template <FloatElement T>
  PredBit operator()(T x) const {
    return {static_cast<uint8_t>(std::isfinite(x) ? 1 : 0)};
  }
};

struct LogPlusOne {
  template <FloatElement T>
  T operator()(T x) const {
    return std::log1p(x);
  }
  // |1 + z|^2 - 1 = a (2 + a) + b^2.
  template <ComplexElement T>
  T operator()(T x) const {
    auto a = x.real(), b = x.imag();
    return {std::log1p(a * (2 + a) + b * b) / 2, std::atan2(b, 1 + a)};
  }
};

struct Logistic {
  template <InexactElement T>
  T operator()(T x) const {
    return T(1) / (T(1) + std::exp(-x));
  }
};

struct Negate {
  template <InexactElement T>
  T operator()(T x) const {
    return -x;
  }
  template <IntElement T>
  T operator()(T x) const {
    return Wrapped<T>(0 - BitsOf(x));
  }
};

struct Not {
  PredBit operator()(PredBit x) const { return {static_cast<uint8_t>(x ? 0 : 1)}; }
  template <IntElement T>
  T operator()(T x) const {
    return static_cast<T>(~x);
  }
};

struct Rsqrt {
  template <InexactElement T>
  T operator()(T x) const {
    return T(1) / std::sqrt(x);
  }
};

struct Sign {
  template <FloatElement T>
  T operator()(T x) const {
    return x > 0 ? T(1) : x < 0 ? T(-1) : x;  // zeros and NaN stay
  }
  template <ComplexElement T>
  T operator()(T x) const {
    auto size = std::abs(x);
    return size == 0 ? T(0) : x / size;
  }
  template <IntElement T>
  T operator()(T x) const {
    return static_cast<T>(x > 0 ? 1 : x < 0 ? -1 : 0);
  }
};

// --- Two operands ----------------------------------------------------------------------------------------------------

struct And {
  PredBit operator()(PredBit a, PredBit b) const { return {static_cast<uint8_t>(a && b ? 1 : 0)}; }
  template <IntElement T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct Or {
  PredBit operator()(PredBit a, PredBit b) const { return {static_cast<uint8_t>(a || b ? 1 : 0)}; }
  template <IntElement T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  PredBit operator()(PredBit a, PredBit b) const { return {static_cast<uint8_t>(a == b ? 0 : 1)}; }
  template <IntElement T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

struct Add {
  PredBit operator()(PredBit a, PredBit b) const { return Or()(a, b); }
  template <InexactElement T>
  T operator()(T a, T b) const {
    return a + b;
  }
  template <IntElement T>
  T operator()(T a, T b) const {
    return Wrapped<T>(BitsOf(a) + BitsOf(b));
  }
};

struct Subtract {
  template <InexactElement T>
  T operator()(T a, T b) const {
    return a - b;
  }
  template <IntElement T>
  T operator()(T a, T b) const {
    return Wrapped<T>(BitsOf(a) - BitsOf(b));
  }
};

struct Multiply {
  PredBit operator()(PredBit a, PredBit b) const { return And()(a, b); }
  template <InexactElement T>
  T operator()(T a, T b) const {
    return a * b;
  }
  template <IntElement T>
  T operator()(T a, T b) const {
    return Wrapped<T>(BitsOf(a) * BitsOf(b));
  }
};

struct Divide {
  template <InexactElement T>
  T operator()(T a, T b) const {
    return a / b;
  }
  // By zero: all ones. The one quotient that does not fit wraps.
  template <IntElement T>
  T operator()(T a, T b) const {
    if (b == 0) {
      return static_cast<T>(-1);
    }
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
      return Wrapped<T>(0 - BitsOf(a));
    }
    return static_cast<T>(a / b);
  }
};

struct Remainder {
  template <FloatElement T>
  T operator()(T a, T b) const {
    return std::fmod(a, b);
  }
  // By zero: the dividend.
  template <IntElement T>
  T operator()(T a, T b) const {
    if (b == 0) {
      return a;
    }
    return std::is_signed_v<T> && b == static_cast<T>(-1) ? T(0) : static_cast<T>(a % b);
  }
};

struct Atan2 {
  template <FloatElement T>
  T operator()(T y, T x) const {
    return std::atan2(y, x);
  }
  // -i log((x + iy) / sqrt(x^2 + y^2)).
  template <ComplexElement T>
  T operator()(T y, T x) const {
    T i(0, 1);
    return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
  }
};

struct Complex {
  template <FloatElement T>
  std::complex<T> operator()(T re, T im) const {
    return {re, im};
  }
};

// NaN wins over numbers; of zeros the positive one is the greater. Complex numbers by real, then imaginary part.
struct Maximum {
  PredBit operator()(PredBit a, PredBit b) const { return Or()(a, b); }
  template <FloatElement T>
  T operator()(T a, T b) const {
    if (a == b) {
      return std::signbit(a) ? b : a;
    }
    return a > b || std::isnan(a) ? a : b;
  }
  template <ComplexElement T>
  T operator()(T a, T b) const {
    return a.real() > b.real() || (a.real() == b.real() && a.imag() >= b.imag()) ? a : b;
  }
  template <IntElement T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

struct Minimum {
  PredBit operator()(PredBit a, PredBit b) const { return And()(a, b); }
  template <FloatElement T>
  T operator()(T a, T b) const {
    if (a == b) {
      return std::signbit(a) ? a : b;
    }
    return a < b || std::isnan(a) ? a : b;
  }
  template <ComplexElement T>
  T operator()(T a, T b) const {
    return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag()) ? a : b;
  }
  template <IntElement T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

struct Power {
  template <FloatElement T>
  T operator()(T a, T b) const {
    return std::pow(a, b);
  }
  template <ComplexElement T>
  T operator()(T a, T b) const {
    if (a == T(0)) {
      return b == T(0) ? T(1) : T(0);
    }
    return std::pow(a, b);
  }
  // By squaring, wrapping. Negative exponents: 1 / a^-b, truncated.
  template <IntElement T>
  T operator()(T a, T b) const {
    if (b < 0) {
      bool odd = (BitsOf(b) & 1) != 0;
      return a == 1 ? T(1) : a == static_cast<T>(-1) ? (odd ? static_cast<T>(-1) : T(1)) : T(0);
    }
    uint64_t base = BitsOf(a), result = 1;
    for (uint64_t exponent = BitsOf(b); exponent != 0; exponent >>= 1) {
      if ((exponent & 1) != 0) {
        result *= base;
      }
      base *= base;
    }
    return Wrapped<T>(result);
  }
};

// Shifts by the width or more (read as unsigned) push out everything.
template <IntElement T>
bool ShiftsOut(T count) {
  return static_cast<uint64_t>(static_cast<std::make_unsigned_t<T>>(count)) >= sizeof(T) * 8;
}

struct ShiftLeft {
  template <IntElement T>
  T operator()(T x, T count) const {
    return ShiftsOut(count) ? T(0) : Wrapped<T>(BitsOf(x) << count);
  }
};

struct ShiftRightArithmetic {
  template <IntElement T>
  T operator()(T x, T count) const {
    using S = std::make_signed_t<T>;
    S value = static_cast<S>(x);
    return static_cast<T>(ShiftsOut(count) ? (value < 0 ? S(-1) : S(0)) : static_cast<S>(value >> count));
  }
};

struct ShiftRightLogical {
  template <IntElement T>
  T operator()(T x, T count) const {
    using U = std::make_unsigned_t<T>;
    return ShiftsOut(count) ? T(0) : static_cast<T>(static_cast<U>(x) >> count);
  }
};

}  // namespace spmdc::ops::fn
