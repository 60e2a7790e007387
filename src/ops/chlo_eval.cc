// CHLO's functions on host arrays: the C library's where XLA is as exact, so that a check compares what they are written out as
// with something else; XLA's approximations where it is not.
#include <bit>
#include <cmath>
#include <limits>

#include "llvm/ADT/APInt.h"
#include "ops/chlo.h"
#include "ops/special_fn.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

bool Real(op::EvalContext& cx, double (*function)(double)) {
  Literal x = cx.operand(0).Materialize();
  Literal result(x.dtype(), x.dims());
  for (int64_t i = 0, n = x.size(); i < n; ++i) {
    result.SetReal(i, function(x.GetReal(i)));
  }
  cx.results.push_back(std::move(result));
  return true;
}

bool Test(op::EvalContext& cx, bool (*predicate)(double)) {
  const Literal& x = cx.operand(0);
  Literal result(DType::Pred, x.dims());
  for (int64_t i = 0, n = x.size(); i < n; ++i) {
    result.SetInt(i, predicate(x.GetReal(i)) ? 1 : 0);
  }
  cx.results.push_back(std::move(result));
  return true;
}

// The next number of an element type from x towards y: one step of its bits, taken as a number with a sign.
template <typename Bits>
Bits Next(Bits x, Bits y, double x_value, double y_value) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  if (x_value == y_value) {
    return y;
  }
  if (x_value == 0) {
    return static_cast<Bits>((y & kSign) | 1);
  }
  bool away = (x_value < y_value) == (x_value > 0);
  return static_cast<Bits>(away ? x + 1 : x - 1);
}

template <typename Bits>
Literal NextAfter(const Literal& x, const Literal& y) {
  Literal result(x.dtype(), x.dims());
  llvm::ArrayRef<char> a = x.raw(), b = y.raw();
  auto* out = reinterpret_cast<Bits*>(result.mutable_raw());
  for (int64_t i = 0, n = x.size(); i < n; ++i) {
    double p = x.GetReal(i), q = y.GetReal(i);
    if (std::isnan(p) || std::isnan(q)) {
      result.SetReal(i, p + q);
    } else {
      out[i] = Next(reinterpret_cast<const Bits*>(a.data())[i], reinterpret_cast<const Bits*>(b.data())[i], p, q);
    }
  }
  return result;
}

Literal Spread(const Literal& x, llvm::ArrayRef<int64_t> dims) {
  Literal dense = x.Materialize();
  return dense.size() == tensor::NumElements(dims)
             ? dense
             : Literal::Splat(x.dtype(), dims, {dense.raw().begin(), dense.raw().end()}).Materialize();
}

// Two operands of one shape, where one element stands for any number.
struct Pair {
  Literal x, y;
};

Pair PairOf(op::EvalContext& cx, Literal (*in_type)(const Literal&)) {
  llvm::ArrayRef<int64_t> dims = cx.operand(0).size() == 1 ? cx.operand(1).dims() : cx.operand(0).dims();
  return {Spread(in_type(cx.operand(0)), dims), Spread(in_type(cx.operand(1)), dims)};
}

template <typename T>
Literal EachPair(const Pair& p, T (*function)(T, T)) {
  Literal result(p.x.dtype(), p.x.dims());
  llvm::ArrayRef<T> x = p.x.data<T>(), y = p.y.data<T>();
  llvm::MutableArrayRef<T> out = result.mutable_data<T>();
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = function(x[i], y[i]);
  }
  return result;
}

template <typename T>
Literal Each(const Literal& x, T (*function)(T)) {
  Literal result(x.dtype(), x.dims());
  llvm::ArrayRef<T> in = x.data<T>();
  llvm::MutableArrayRef<T> out = result.mutable_data<T>();
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = function(in[i]);
  }
  return result;
}

// Functions that XLA approximates coarsely: in the type to compute in, so that the tolerance of a check knows their errors.
bool Approximated(op::EvalContext& cx, float (*single)(float), double (*wide)(double)) {
  Literal x = ToCompute(cx.operand(0).Materialize());
  Literal result = x.dtype() == DType::F64 ? Each(x, wide) : Each(x, single);
  cx.results.push_back(FromCompute(std::move(result), cx.dtype(cx.result_type().dtype)));
  return true;
}

bool ApproximatedPair(op::EvalContext& cx, float (*single)(float, float), double (*wide)(double, double)) {
  Pair p = PairOf(cx, ToCompute);
  Literal result = p.x.dtype() == DType::F64 ? EachPair(p, wide) : EachPair(p, single);
  cx.results.push_back(FromCompute(std::move(result), cx.dtype(cx.result_type().dtype)));
  return true;
}

}  // namespace

bool EvalBesselI1e(op::EvalContext& cx) { return Approximated(cx, fn::BesselI1e<float>, fn::BesselI1e<double>); }
bool EvalDigamma(op::EvalContext& cx) { return Approximated(cx, fn::Digamma<float>, fn::Digamma<double>); }
bool EvalErfInv(op::EvalContext& cx) { return Approximated(cx, fn::ErfInv<float>, fn::ErfInv<double>); }
bool EvalLgamma(op::EvalContext& cx) { return Approximated(cx, fn::Lgamma<float>, fn::Lgamma<double>); }
bool EvalPolygamma(op::EvalContext& cx) { return ApproximatedPair(cx, fn::Polygamma<float>, fn::Polygamma<double>); }
bool EvalZeta(op::EvalContext& cx) { return ApproximatedPair(cx, fn::Zeta<float>, fn::Zeta<double>); }

// The upper half of the product of twice the width.
bool EvalMulhi(op::EvalContext& cx) {
  Pair p = PairOf(cx, [](const Literal& x) { return x; });
  DType dtype = p.x.dtype();
  bool is_signed = tensor::Class(dtype) == tensor::DClass::Signed;
  Literal result(dtype, p.x.dims());
  for (int64_t i = 0, n = result.size(); i < n; ++i) {
    llvm::APInt x(128, static_cast<uint64_t>(p.x.GetInt(i)), is_signed);
    llvm::APInt y(128, static_cast<uint64_t>(p.y.GetInt(i)), is_signed);
    llvm::APInt upper = (x * y).ashr(static_cast<unsigned>(tensor::BitWidth(dtype)));
    result.SetInt(i, static_cast<int64_t>(upper.trunc(64).getZExtValue()));
  }
  cx.results.push_back(std::move(result));
  return true;
}

bool EvalAcos(op::EvalContext& cx) { return Real(cx, std::acos); }
bool EvalAcosh(op::EvalContext& cx) { return Real(cx, std::acosh); }
bool EvalAsin(op::EvalContext& cx) { return Real(cx, std::asin); }
bool EvalAsinh(op::EvalContext& cx) { return Real(cx, std::asinh); }
bool EvalAtan(op::EvalContext& cx) { return Real(cx, std::atan); }
bool EvalAtanh(op::EvalContext& cx) { return Real(cx, std::atanh); }
bool EvalCosh(op::EvalContext& cx) { return Real(cx, std::cosh); }
bool EvalErfc(op::EvalContext& cx) { return Real(cx, std::erfc); }
bool EvalSinh(op::EvalContext& cx) { return Real(cx, std::sinh); }

bool EvalIsInf(op::EvalContext& cx) {
  return Test(cx, [](double x) { return std::isinf(x); });
}
bool EvalIsNegInf(op::EvalContext& cx) {
  return Test(cx, [](double x) { return std::isinf(x) && x < 0; });
}
bool EvalIsPosInf(op::EvalContext& cx) {
  return Test(cx, [](double x) { return std::isinf(x) && x > 0; });
}

bool EvalNextAfter(op::EvalContext& cx) {
  DType dtype = cx.module.type(cx.function, cx.function.operands(cx.inst)[0]).dtype;
  llvm::ArrayRef<int64_t> dims = cx.operand(0).size() == 1 ? cx.operand(1).dims() : cx.operand(0).dims();
  Literal x = Spread(ConvertLiteral(cx.operand(0), dtype), dims),
          y = Spread(ConvertLiteral(cx.operand(1), dtype), dims);
  Literal next = tensor::ByteWidth(dtype) == 8   ? NextAfter<uint64_t>(x, y)
                 : tensor::ByteWidth(dtype) == 4 ? NextAfter<uint32_t>(x, y)
                                                 : NextAfter<uint16_t>(x, y);
  cx.results.push_back(ConvertLiteral(next, cx.dtype(dtype)));
  return true;
}

}  // namespace spmdc::ops
