// Approximations that CHLO's error and Bessel functions are written out as.
#include <limits>

#include "ops/chlo_math.h"
#include "ops/special_fn.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using tensor::DType;

// erf_inv(x) / x.
ir::ValueId ErfInvRatioSingle(const Math& m, ir::ValueId w) {
  ir::ValueId near = m.Polynomial(m.Sub(w, m.Constant(2.5)), fn::kErfInvNearSingle);
  ir::ValueId root = m.Do(OpKind::Sqrt, w);
  ir::ValueId far = m.Polynomial(m.Sub(root, m.Constant(3)), fn::kErfInvFarSingle);
  return m.Select(m.Compare(Direction::Lt, w, m.Constant(5)), near, far);
}

ir::ValueId ErfInvRatioDouble(const Math& m, ir::ValueId w) {
  ir::ValueId near = m.Polynomial(m.Sub(w, m.Constant(3.125)), fn::kErfInvNear);
  ir::ValueId root = m.Do(OpKind::Sqrt, w);
  ir::ValueId middle = m.Polynomial(m.Sub(root, m.Constant(3.25)), fn::kErfInvMiddle);
  ir::ValueId far = m.Polynomial(m.Sub(root, m.Constant(5)), fn::kErfInvFar);
  ir::ValueId tail = m.Select(m.Compare(Direction::Lt, w, m.Constant(16)), middle, far);
  return m.Select(m.Compare(Direction::Lt, w, m.Constant(6.25)), near, tail);
}

// A Chebyshev series at 2y, coefficients from the highest order down, the last one counted half (Clenshaw's recurrence).
ir::ValueId Chebyshev(const Math& m, ir::ValueId y2, llvm::ArrayRef<double> coefficients) {
  ir::ValueId sum = m.Constant(coefficients[0]), last = m.Constant(0), before = last;
  for (double c : coefficients.drop_front()) {
    before = last;
    last = sum;
    ir::ValueId raised = m.Sub(m.Mul(y2, sum), before);
    sum = m.Add(raised, m.Constant(c));
  }
  return m.Mul(m.Sub(sum, before), m.Constant(0.5));
}

}  // namespace

ir::ValueId ErfInv(const Math& m, ir::ValueId x) {
  ir::ValueId minus_square = m.Mul(x, m.Do(OpKind::Negate, x));
  ir::ValueId w = m.Do(OpKind::Negate, m.Do(OpKind::LogPlusOne, minus_square));
  ir::ValueId ratio = m.dtype() == DType::F64 ? ErfInvRatioDouble(m, w) : ErfInvRatioSingle(m, w);
  ir::ValueId end = m.Mul(x, m.Constant(std::numeric_limits<double>::infinity()));
  ir::ValueId one = m.Constant(1);
  ir::ValueId at_end = m.Compare(Direction::Eq, m.Do(OpKind::Abs, x), one);
  return m.Select(at_end, end, m.Mul(ratio, x));
}

ir::ValueId BesselI1e(const Math& m, ir::ValueId x) {
  bool wide = m.dtype() == DType::F64;
  llvm::ArrayRef<double> near_series = fn::kBesselI1eNearSingle, far_series = fn::kBesselI1eFarSingle;
  if (wide) {
    near_series = fn::kBesselI1eNear;
    far_series = fn::kBesselI1eFar;
  }
  ir::ValueId a = m.Do(OpKind::Abs, x), two = m.Constant(2);
  ir::ValueId half = m.Mul(a, m.Constant(0.5));
  ir::ValueId near = m.Mul(a, Chebyshev(m, m.Sub(half, two), near_series));
  ir::ValueId inverse = m.Div(m.Constant(32), a);
  ir::ValueId far = Chebyshev(m, m.Sub(inverse, two), far_series);
  far = m.Div(far, m.Do(OpKind::Sqrt, a));
  ir::ValueId size = m.Select(m.Compare(Direction::Le, a, m.Constant(8)), near, far);
  return m.Mul(m.Do(OpKind::Sign, x), size);
}

}  // namespace spmdc::ops
