// Approximations that CHLO's functions of the gamma family are written out as.
#include <cmath>
#include <limits>

#include "ops/chlo_math.h"
#include "ops/special_fn.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// Lanczos's approximation at z = x - 1, or at z = -x where x < 1/2 (reflection).
struct LanczosPoint {
  ir::ValueId mirrored, z, t, log_t;
};

LanczosPoint LanczosAt(const Math& m, ir::ValueId x) {
  LanczosPoint p;
  p.mirrored = m.Compare(Direction::Lt, x, m.Constant(0.5));
  ir::ValueId minus_x = m.Do(OpKind::Negate, x);
  p.z = m.Select(p.mirrored, minus_x, m.Sub(x, m.Constant(1)));
  ir::ValueId shift = m.Constant(fn::kLanczosG + 0.5);
  p.t = m.Add(p.z, shift);
  ir::ValueId beyond = m.Do(OpKind::LogPlusOne, m.Div(p.z, shift));
  p.log_t = m.Add(m.Constant(std::log(fn::kLanczosG + 0.5)), beyond);
  return p;
}

// The sum of Lanczos's terms c / (z + i) and, where it is asked for, its derivative.
ir::ValueId LanczosSum(const Math& m, ir::ValueId z, ir::ValueId* derivative) {
  ir::ValueId sum = m.Constant(fn::kLanczosBase);
  ir::ValueId slope = derivative != nullptr ? m.Constant(0) : ir::ValueId();
  double i = 0;
  for (double c : fn::kLanczos) {
    i += 1;
    ir::ValueId numerator = m.Constant(c), place = m.Add(z, m.Constant(i));
    sum = m.Add(sum, m.Div(numerator, place));
    if (derivative != nullptr) {
      slope = m.Sub(slope, m.Div(numerator, m.Mul(place, place)));
    }
  }
  if (derivative != nullptr) {
    *derivative = slope;
  }
  return sum;
}

// log(sin(pi |x|)), from the distance to the nearest whole number, which is exact.
ir::ValueId LogSine(const Math& m, ir::ValueId x) {
  ir::ValueId size = m.Do(OpKind::Abs, x);
  ir::ValueId fraction = m.Sub(size, m.Do(OpKind::Floor, size));
  ir::ValueId rest = m.Sub(m.Constant(1), fraction);
  ir::ValueId above = m.Compare(Direction::Gt, fraction, m.Constant(0.5));
  ir::ValueId distance = m.Select(above, rest, fraction);
  return m.Do(OpKind::Log, m.Do(OpKind::Sine, m.Mul(distance, m.Constant(fn::kPi))));
}

// x is 0 or a negative whole number.
ir::ValueId IsPole(const Math& m, ir::ValueId x) {
  ir::ValueId whole = m.Compare(Direction::Eq, x, m.Do(OpKind::Floor, x));
  ir::ValueId negative = m.Compare(Direction::Le, x, m.Constant(0));
  return m.Do(OpKind::And, negative, whole);
}

// Euler's and Maclaurin's correction of a sum of powers that ends before a: a^-s (1/2 + s/a (B2/2! + (s+1)(s+2)/a^2 (...))).
ir::ValueId ZetaCorrection(const Math& m, ir::ValueId s, ir::ValueId a, ir::ValueId power) {
  ir::ValueId inverse_square = m.Mul(a, a);
  inverse_square = m.Div(m.Constant(1), inverse_square);
  ir::ValueId sum = m.Constant(fn::kBernoulli[0]);
  double order = 24;
  for (double c : llvm::ArrayRef<double>(fn::kBernoulli).drop_front()) {
    order -= 2;
    ir::ValueId second = m.Add(s, m.Constant(order));
    ir::ValueId factors = m.Mul(second, m.Add(s, m.Constant(order - 1)));
    sum = m.Mul(factors, m.Mul(inverse_square, sum));
    sum = m.Add(sum, m.Constant(c));
  }
  ir::ValueId rest = m.Mul(m.Div(s, a), sum);
  return m.Mul(power, m.Add(rest, m.Constant(0.5)));
}

// The series for s > 1: ten terms, the integral over the others, and the correction.
ir::ValueId ZetaSeries(const Math& m, ir::ValueId s, ir::ValueId q) {
  ir::ValueId exponent = m.Do(OpKind::Negate, s), one = m.Constant(1);
  ir::ValueId a = q, sum = m.Do(OpKind::Power, a, exponent);
  for (int i = 1; i < 10; ++i) {
    a = m.Add(a, one);
    sum = m.Add(sum, m.Do(OpKind::Power, a, exponent));
  }
  a = m.Add(a, one);
  ir::ValueId power = m.Do(OpKind::Power, a, exponent);
  ir::ValueId area = m.Mul(power, a);
  area = m.Div(area, m.Sub(s, one));
  sum = m.Add(sum, area);
  return m.Add(sum, ZetaCorrection(m, s, a, power));
}

}  // namespace

ir::ValueId Lgamma(const Math& m, ir::ValueId x) {
  LanczosPoint p = LanczosAt(m, x);
  ir::ValueId sum = LanczosSum(m, p.z, nullptr);
  // (z + 1/2) log t - t in one product: the two are alike in size for large z.
  ir::ValueId middle = m.Add(p.z, m.Constant(0.5));
  ir::ValueId product = m.Mul(m.Sub(middle, m.Div(p.t, p.log_t)), p.log_t);
  ir::ValueId usual = m.Add(product, m.Constant(0.5 * std::log(2 * fn::kPi)));
  usual = m.Add(usual, m.Do(OpKind::Log, sum));
  ir::ValueId sine = LogSine(m, x), minus_sine = m.Do(OpKind::Negate, sine);
  ir::ValueId reflected = m.Sub(m.Sub(m.Constant(std::log(fn::kPi)), sine), usual);
  ir::ValueId finite = m.Do(OpKind::IsFinite, sine);
  ir::ValueId left = m.Select(finite, reflected, minus_sine);
  ir::ValueId infinity = m.Constant(kInfinity);
  ir::ValueId endless = m.Compare(Direction::Eq, m.Do(OpKind::Abs, x), infinity);
  return m.Select(endless, infinity, m.Select(p.mirrored, left, usual));
}

ir::ValueId Digamma(const Math& m, ir::ValueId x) {
  LanczosPoint p = LanczosAt(m, x);
  ir::ValueId slope;
  ir::ValueId sum = LanczosSum(m, p.z, &slope);
  ir::ValueId usual = m.Add(p.log_t, m.Div(slope, sum));
  usual = m.Sub(usual, m.Div(m.Constant(fn::kLanczosG), p.t));
  // pi / tan(pi x), of the exact distance to the nearest whole number.
  ir::ValueId nearest = m.Do(OpKind::Floor, m.Add(x, m.Constant(0.5)));
  ir::ValueId pi = m.Constant(fn::kPi);
  ir::ValueId angle = m.Mul(pi, m.Add(x, m.Do(OpKind::Abs, nearest)));
  ir::ValueId cosine = m.Mul(pi, m.Do(OpKind::Cosine, angle));
  ir::ValueId left = m.Sub(usual, m.Div(cosine, m.Do(OpKind::Sine, angle)));
  ir::ValueId pole = IsPole(m, x), result = m.Select(p.mirrored, left, usual);
  return m.Select(pole, m.Constant(kNotANumber), result);
}

// What XLA answers outside s > 1 and q > 0: not a number, but for infinity at s = 1 and at the poles of even order.
ir::ValueId Zeta(const Math& m, ir::ValueId s, ir::ValueId q) {
  ir::ValueId series = ZetaSeries(m, s, q);
  ir::ValueId zero = m.Constant(0), one = m.Constant(1), nan = m.Constant(kNotANumber),
              infinity = m.Constant(kInfinity);
  ir::ValueId result = m.Select(m.Compare(Direction::Lt, s, one), nan, series);
  ir::ValueId left = m.Compare(Direction::Le, q, zero);
  ir::ValueId broken = m.Compare(Direction::Ne, s, m.Do(OpKind::Floor, s));
  result = m.Select(m.Do(OpKind::And, left, broken), nan, result);
  ir::ValueId parity = m.Do(OpKind::Remainder, s, m.Constant(2));
  ir::ValueId even = m.Compare(Direction::Eq, parity, zero);
  ir::ValueId at_pole = m.Select(even, infinity, nan);
  result = m.Select(IsPole(m, q), at_pole, result);
  return m.Select(m.Compare(Direction::Eq, s, one), infinity, result);
}

// (-1)^(n + 1) n! zeta(n + 1, x), and digamma at n = 0.
ir::ValueId Polygamma(const Math& m, ir::ValueId n, ir::ValueId x) {
  ir::ValueId zero = m.Constant(0), one = m.Constant(1), order = m.Add(n, one);
  ir::ValueId factorial = m.Do(OpKind::Exponential, Lgamma(m, order));
  ir::ValueId odd = m.Compare(Direction::Ne, m.Do(OpKind::Remainder, n, m.Constant(2)), zero);
  ir::ValueId minus_one = m.Constant(-1), sign = m.Select(odd, one, minus_one);
  ir::ValueId scale = m.Mul(sign, factorial);
  ir::ValueId derivative = m.Mul(scale, Zeta(m, order, x));
  ir::ValueId first = m.Compare(Direction::Eq, n, zero);
  ir::ValueId result = m.Select(first, Digamma(m, x), derivative);
  ir::ValueId broken = m.Compare(Direction::Ne, n, m.Do(OpKind::Floor, n));
  ir::ValueId negative = m.Compare(Direction::Lt, n, zero);
  ir::ValueId outside = m.Do(OpKind::Or, broken, negative);
  return m.Select(outside, m.Constant(kNotANumber), result);
}

}  // namespace spmdc::ops
