// dot_general on host arrays: both operands are laid out as [batch, rows, k] and [batch, k, columns], then multiplied.
#include "ops/dot_eval.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/matmul.h"
#include "ops/strided.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

// Multiplies the sizes of some dims, and appends the dims to a permutation.
int64_t Take(const Literal& x, llvm::ArrayRef<int64_t> dims, tensor::Dims& permutation) {
  int64_t size = 1;
  for (int64_t d : dims) {
    permutation.push_back(d);
    size *= x.dims()[static_cast<size_t>(d)];
  }
  return size;
}

tensor::Dims Free(const Literal& x, llvm::ArrayRef<int64_t> batch, llvm::ArrayRef<int64_t> contracting) {
  tensor::Dims free;
  for (int64_t d = 0; d < static_cast<int64_t>(x.dims().size()); ++d) {
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d)) {
      free.push_back(d);
    }
  }
  return free;
}

}  // namespace

DType SumType(const Literal& a, const Literal& b, DType result) {
  DType sum = ComputeType(result);
  if (!tensor::IsFloat(sum) && !tensor::IsComplex(sum)) {
    return sum;
  }
  for (const Literal* x : {&a, &b}) {
    DType part = tensor::RealPart(ComputeType(x->dtype()));
    if (part == DType::F64) {
      sum = tensor::Wider(sum);
    }
  }
  return sum;
}

Literal Contract(const DotGeneralAttrs& attrs, const Literal& lhs, const Literal& rhs, DType result) {
  DType sum = SumType(lhs, rhs, result);
  Literal a = ConvertLiteral(lhs, sum);
  Literal b = ConvertLiteral(rhs, sum);
  tensor::Dims a_free = Free(a, attrs.lhs_batch, attrs.lhs_contracting);
  tensor::Dims b_free = Free(b, attrs.rhs_batch, attrs.rhs_contracting);
  MatrixSizes sizes;
  tensor::Dims a_order, b_order, dims;
  sizes.batch = Take(a, attrs.lhs_batch, a_order);
  sizes.rows = Take(a, a_free, a_order);
  sizes.k = Take(a, attrs.lhs_contracting, a_order);
  Take(b, attrs.rhs_batch, b_order);
  Take(b, attrs.rhs_contracting, b_order);
  sizes.columns = Take(b, b_free, b_order);
  for (size_t i = 0; i < attrs.lhs_batch.size() + a_free.size(); ++i) {
    dims.push_back(a.dims()[static_cast<size_t>(a_order[i])]);
  }
  for (int64_t d : b_free) {
    dims.push_back(b.dims()[static_cast<size_t>(d)]);
  }
  a = Transposed(a, a_order);
  b = Transposed(b, b_order);
  return FromCompute(MultiplyMatrices(a, b, sizes).WithDims(dims), result);
}

bool EvalDotGeneral(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<DotGeneralAttrs>();
  cx.results.push_back(Contract(attrs, cx.operand(0), cx.operand(1), cx.dtype(attrs.result_dtype)));
  return true;
}

}  // namespace spmdc::ops
