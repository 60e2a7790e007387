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

tensor::Literal CombineAll(Monoid monoid, llvm::ArrayRef<const tensor::Literal*> terms) {
  tensor::DType dtype = terms[0]->dtype();
  bool narrow = tensor::IsFloat(dtype) && tensor::BitWidth(dtype) < 32;
  tensor::DType work = narrow ? tensor::DType::F32 : dtype;
  tensor::Literal sum = terms[0]->ConvertTo(work).Materialize();
  for (const tensor::Literal* term : terms.drop_front()) {
    tensor::Literal next = term->ConvertTo(work);
    for (int64_t i = 0, n = sum.size(); i < n; ++i) {
      CombineElement(monoid, sum, i, next, i);
    }
  }
  return sum.ConvertTo(dtype);
}

}  // namespace spmdc::ops
