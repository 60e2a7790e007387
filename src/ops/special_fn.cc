// Special functions on single elements: as chlo_special.cc and chlo_gamma.cc write them out, step by step, so that both round
// alike.
#include "ops/special_fn.h"

#include <cmath>
#include <limits>

#include "llvm/ADT/ArrayRef.h"

namespace spmdc::ops::fn {
namespace {

template <typename T>
constexpr T kInfinityOf = std::numeric_limits<T>::infinity();
template <typename T>
constexpr T kNanOf = std::numeric_limits<T>::quiet_NaN();
template <typename T>
constexpr bool kIsDouble = sizeof(T) == sizeof(double);

// Coefficients from the highest power down.
template <typename T>
T Polynomial(T x, llvm::ArrayRef<double> coefficients) {
  T sum = static_cast<T>(coefficients[0]);
  for (double c : coefficients.drop_front()) {
    sum = sum * x + static_cast<T>(c);
  }
  return sum;
}

// A Chebyshev series at y2 / 2, the coefficient of order 0 counted half (Clenshaw's recurrence).
template <typename T>
T ChebyshevSum(T y2, llvm::ArrayRef<double> coefficients) {
  T sum = static_cast<T>(coefficients[0]), last = 0, before = 0;
  for (double c : coefficients.drop_front()) {
    before = last;
    last = sum;
    sum = y2 * sum - before + static_cast<T>(c);
  }
  return (sum - before) * T(0.5);
}

template <typename T>
bool IsPoleOfGamma(T x) {
  return x <= 0 && x == std::floor(x);
}

template <typename T>
struct LanczosSeries {
  T t = 0, log_t = 0, z = 0, sum = static_cast<T>(kLanczosBase), slope = 0;
};

template <typename T>
LanczosSeries<T> LanczosOf(T x) {
  LanczosSeries<T> s;
  T shift = static_cast<T>(kLanczosG + 0.5), place = 0;
  s.z = x < T(0.5) ? -x : x - 1;
  s.t = s.z + shift;
  s.log_t = static_cast<T>(std::log(kLanczosG + 0.5)) + std::log1p(s.z / shift);
  for (double c : kLanczos) {
    place += 1;
    T at = s.z + place;
    s.sum += static_cast<T>(c) / at;
    s.slope -= static_cast<T>(c) / (at * at);
  }
  return s;
}

template <typename T>
T ErfInvRatio(T w) {
  if constexpr (kIsDouble<T>) {
    return w < 6.25 ? Polynomial<T>(w - 3.125, kErfInvNear)
           : w < 16 ? Polynomial<T>(std::sqrt(w) - 3.25, kErfInvMiddle)
                    : Polynomial<T>(std::sqrt(w) - 5, kErfInvFar);
  } else {
    return w < 5 ? Polynomial<T>(w - T(2.5), kErfInvNearSingle) : Polynomial<T>(std::sqrt(w) - 3, kErfInvFarSingle);
  }
}

template <typename T>
T ZetaSum(T s, T q) {
  T a = q, sum = std::pow(a, -s);
  for (int i = 1; i < 10; ++i) {
    a += 1;
    sum += std::pow(a, -s);
  }
  a += 1;
  T power = std::pow(a, -s), inverse_square = 1 / (a * a), correction = static_cast<T>(kBernoulli[0]), order = 24;
  for (double c : llvm::ArrayRef<double>(kBernoulli).drop_front()) {
    order -= 2;
    correction = (s + order) * (s + (order - 1)) * (inverse_square * correction) + static_cast<T>(c);
  }
  return sum + power * a / (s - 1) + power * (s / a * correction + T(0.5));
}

}  // namespace

template <typename T>
T BesselI1e(T x) {
  T a = std::fabs(x);
  T near = a * ChebyshevSum<T>(a * T(0.5) - 2, kIsDouble<T> ? llvm::ArrayRef<double>(kBesselI1eNear)
                                                            : llvm::ArrayRef<double>(kBesselI1eNearSingle));
  T far = ChebyshevSum<T>(32 / a - 2, kIsDouble<T> ? llvm::ArrayRef<double>(kBesselI1eFar)
                                                   : llvm::ArrayRef<double>(kBesselI1eFarSingle)) /
          std::sqrt(a);
  return std::isnan(x) || x == 0 ? x : std::copysign(a <= 8 ? near : far, x);
}

template <typename T>
T Digamma(T x) {
  if (IsPoleOfGamma(x)) {
    return kNanOf<T>;
  }
  LanczosSeries<T> s = LanczosOf(x);
  T usual = s.log_t + s.slope / s.sum - static_cast<T>(kLanczosG) / s.t;
  T pi = static_cast<T>(kPi), angle = pi * (x + std::fabs(std::floor(x + T(0.5))));
  return x < T(0.5) ? usual - pi * std::cos(angle) / std::sin(angle) : usual;
}

template <typename T>
T ErfInv(T x) {
  T w = -std::log1p(x * -x);
  return std::fabs(x) == 1 ? x * kInfinityOf<T> : ErfInvRatio(w) * x;
}

template <typename T>
T Lgamma(T x) {
  if (std::isinf(x)) {
    return kInfinityOf<T>;
  }
  LanczosSeries<T> s = LanczosOf(x);
  T usual = (s.z + T(0.5) - s.t / s.log_t) * s.log_t + static_cast<T>(0.5 * std::log(2 * kPi)) + std::log(s.sum);
  if (!(x < T(0.5))) {
    return usual;
  }
  T size = std::fabs(x), fraction = size - std::floor(size);
  T sine = std::log(std::sin((fraction > T(0.5) ? 1 - fraction : fraction) * static_cast<T>(kPi)));
  return std::isfinite(sine) ? static_cast<T>(std::log(kPi)) - sine - usual : -sine;
}

template <typename T>
T Zeta(T s, T q) {
  bool whole = s == std::floor(s);
  if (s == 1) {
    return kInfinityOf<T>;
  }
  if (IsPoleOfGamma(q)) {
    return whole && std::fmod(s, T(2)) == 0 ? kInfinityOf<T> : kNanOf<T>;
  }
  return s < 1 || (q <= 0 && !whole) ? kNanOf<T> : ZetaSum(s, q);
}

template <typename T>
T Polygamma(T n, T x) {
  if (n == 0) {
    return Digamma(x);
  }
  if (n < 0 || n != std::floor(n)) {
    return kNanOf<T>;
  }
  T factorial = std::exp(Lgamma(n + 1));
  return (std::fmod(n, T(2)) == 0 ? -factorial : factorial) * Zeta(n + 1, x);
}

template float BesselI1e(float);
template double BesselI1e(double);
template float Digamma(float);
template double Digamma(double);
template float ErfInv(float);
template double ErfInv(double);
template float Lgamma(float);
template double Lgamma(double);
template float Polygamma(float, float);
template double Polygamma(double, double);
template float Zeta(float, float);
template double Zeta(double, double);

}  // namespace spmdc::ops::fn
