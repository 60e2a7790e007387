// The arithmetic that CHLO's functions are written out in, and those of them that are approximations of some length.
#pragma once

#include "ops/elementwise.h"
#include "ops/emit.h"

namespace spmdc::ops {

// Expressions over arrays of one shape and type.
class Math {
 public:
  Math(op::Builder& b, ir::ValueId like) : b_(b), type_(b.type(like)) {}

  ir::ValueId Constant(double value) const {
    return EmitBroadcast(b_, EmitConstant(b_, tensor::Literal::Number(type_.dtype, {}, value)), type_.dims);
  }
  ir::ValueId Do(ir::OpKind kind, ir::ValueId x) const { return b_.Add1(kind, {x}); }
  ir::ValueId Do(ir::OpKind kind, ir::ValueId x, ir::ValueId y) const { return b_.Add1(kind, {x, y}); }
  ir::ValueId Add(ir::ValueId x, ir::ValueId y) const { return Do(ir::OpKind::Add, x, y); }
  ir::ValueId Sub(ir::ValueId x, ir::ValueId y) const { return Do(ir::OpKind::Subtract, x, y); }
  ir::ValueId Mul(ir::ValueId x, ir::ValueId y) const { return Do(ir::OpKind::Multiply, x, y); }
  ir::ValueId Div(ir::ValueId x, ir::ValueId y) const { return Do(ir::OpKind::Divide, x, y); }
  ir::ValueId Compare(Direction direction, ir::ValueId x, ir::ValueId y) const {
    CompareType type = NaturalCompareType(b_.type(x).dtype);
    return b_.Add1(ir::OpKind::Compare, {x, y}, b_.Attrs(CompareAttrs{direction, type}));
  }
  ir::ValueId Select(ir::ValueId p, ir::ValueId x, ir::ValueId y) const {
    return b_.Add1(ir::OpKind::Select, {p, x, y});
  }
  // Coefficients from the highest power down.
  ir::ValueId Polynomial(ir::ValueId x, llvm::ArrayRef<double> coefficients) const {
    ir::ValueId sum = Constant(coefficients[0]);
    for (double c : coefficients.drop_front()) {
      ir::ValueId raised = Mul(sum, x);
      sum = Add(raised, Constant(c));
    }
    return sum;
  }
  tensor::DType dtype() const { return type_.dtype; }

 private:
  op::Builder& b_;
  ir::Type type_;
};

// The functions of chlo_special.cc: of f32 and f64 arrays.
ir::ValueId BesselI1e(const Math& m, ir::ValueId x);
ir::ValueId ErfInv(const Math& m, ir::ValueId x);

// The functions of chlo_gamma.cc: likewise.
ir::ValueId Digamma(const Math& m, ir::ValueId x);
ir::ValueId Lgamma(const Math& m, ir::ValueId x);
// The derivative of digamma of order n, and Hurwitz's zeta function: the sum of (q + k)^-s.
ir::ValueId Polygamma(const Math& m, ir::ValueId n, ir::ValueId x);
ir::ValueId Zeta(const Math& m, ir::ValueId s, ir::ValueId q);

}  // namespace spmdc::ops
