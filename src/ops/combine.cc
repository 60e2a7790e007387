// Monoids on numbers. Integers wrap as their type does; min and max hand on NaN, as XLA's do.
#include "ops/combine.h"

#include "ops/elementwise_fn.h"

namespace spmdc::ops {
namespace {

using mesh::Monoid;

int64_t OnIntegers(Monoid monoid, tensor::DType dtype, int64_t x, int64_t y) {
  bool pred = dtype == tensor::DType::Pred;
  bool is_unsigned = tensor::Class(dtype) == tensor::DClass::Unsigned;
  auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  bool less = is_unsigned ? ux < uy : x < y;
  switch (monoid) {
    case Monoid::Sum:
      return pred ? (x | y) : static_cast<int64_t>(ux + uy);
    case Monoid::Product:
      return pred ? (x & y) : static_cast<int64_t>(ux * uy);
    case Monoid::Min:
      return less ? x : y;
    case Monoid::Max:
      return less ? y : x;
    case Monoid::And:
      return x & y;
    case Monoid::Or:
      return x | y;
    default:
      return x ^ y;
  }
}

// Of reals and complex numbers.
template <typename T>
T OnNumbers(Monoid monoid, T x, T y) {
  switch (monoid) {
    case Monoid::Product:
      return x * y;
    case Monoid::Min:
      return fn::Minimum()(x, y);
    case Monoid::Max:
      return fn::Maximum()(x, y);
    default:
      return x + y;
  }
}

}  // namespace

void CombineElement(Monoid monoid, tensor::Literal& to, int64_t i, const tensor::Literal& with, int64_t j) {
  tensor::DType dtype = to.dtype();
  if (tensor::IsComplex(dtype)) {
    to.SetComplex(i, OnNumbers(monoid, to.GetComplex(i), with.GetComplex(j)));
  } else if (tensor::IsFloat(dtype)) {
    to.SetReal(i, OnNumbers(monoid, to.GetReal(i), with.GetReal(j)));
  } else {
    to.SetInt(i, OnIntegers(monoid, dtype, to.GetInt(i), with.GetInt(j)));
  }
}

namespace {

template <typename T, typename Fn>
void CombineInto(llvm::MutableArrayRef<T> to, llvm::ArrayRef<T> with, Fn fn) {
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = fn(to[i], with[i]);
  }
}

// All elements of arrays of a type to compute in; false where the monoid is no function of that type.
template <typename Fn>
bool CombineArrays(tensor::Literal& to, const tensor::Literal& with) {
  return VisitComputeType(to.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_invocable_r_v<T, Fn, T, T>) {
      CombineInto<T>(to.mutable_data<T>(), with.data<T>(), Fn());
      return true;
    } else {
      return false;
    }
  });
}

bool CombineArrays(Monoid monoid, tensor::Literal& to, const tensor::Literal& with) {
  switch (monoid) {
    case Monoid::Sum:
      return CombineArrays<fn::Add>(to, with);
    case Monoid::Product:
      return CombineArrays<fn::Multiply>(to, with);
    case Monoid::Min:
      return CombineArrays<fn::Minimum>(to, with);
    case Monoid::Max:
      return CombineArrays<fn::Maximum>(to, with);
    default:
      return false;
  }
}

}  // namespace

tensor::Literal CombineAll(Monoid monoid, llvm::ArrayRef<const tensor::Literal*> terms) {
  tensor::Literal sum = ToCompute(*terms[0]).Materialize();
  for (const tensor::Literal* term : terms.drop_front()) {
    tensor::Literal next = ToCompute(*term).Materialize();
    if (CombineArrays(monoid, sum, next)) {
      continue;
    }
    for (int64_t i = 0, n = sum.size(); i < n; ++i) {
      CombineElement(monoid, sum, i, next, i);
    }
  }
  return FromCompute(std::move(sum), terms[0]->dtype());
}

}  // namespace spmdc::ops
