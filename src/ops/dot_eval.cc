// dot_general on host arrays: both operands are laid out as [batch, rows, k] and [batch, k, columns], then multiplied.
#include "ops/dot_eval.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "ops/dot.h"
#include "ops/elementwise_fn.h"
#include "ops/strided.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

struct Sizes {
  int64_t batch = 1, rows = 1, k = 1, columns = 1;
};

// c += a b for one batch; a [rows, k], b [k, columns], c [rows, columns]. The innermost loop runs along rows of b and c;
// blocks of k and columns keep the part of b in use in the cache.
template <typename T>
void MultiplyAdd(const T* a, const T* b, T* c, const Sizes& sizes) {
  constexpr int64_t kBlockK = 64, kBlockColumns = 512;
  fn::Add add;
  fn::Multiply multiply;
  for (int64_t j0 = 0; j0 < sizes.columns; j0 += kBlockColumns) {
    int64_t j1 = std::min(sizes.columns, j0 + kBlockColumns);
    for (int64_t k0 = 0; k0 < sizes.k; k0 += kBlockK) {
      int64_t k1 = std::min(sizes.k, k0 + kBlockK);
      for (int64_t i = 0; i < sizes.rows; ++i) {
        T* row = c + i * sizes.columns;
        for (int64_t k = k0; k < k1; ++k) {
          T x = a[i * sizes.k + k];
          const T* y = b + k * sizes.columns;
          for (int64_t j = j0; j < j1; ++j) {
            row[j] = add(row[j], multiply(x, y[j]));
          }
        }
      }
    }
  }
}

template <typename T>
Literal Multiply(const Literal& a, const Literal& b, const Sizes& sizes, Literal c) {
  const T* x = a.data<T>().data();
  const T* y = b.data<T>().data();
  T* z = c.mutable_data<T>().data();
  for (int64_t i = 0; i < sizes.batch; ++i) {
    MultiplyAdd(x + i * sizes.rows * sizes.k, y + i * sizes.k * sizes.columns, z + i * sizes.rows * sizes.columns,
                sizes);
  }
  return c;
}

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

// The widest of the operands' and the result's types to compute in: products of narrow floats are summed in f32.
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

}  // namespace

bool EvalDotGeneral(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<DotGeneralAttrs>();
  DType result = cx.dtype(attrs.result_dtype);
  DType sum = SumType(cx.operand(0), cx.operand(1), result);
  Literal a = ConvertLiteral(cx.operand(0), sum);
  Literal b = ConvertLiteral(cx.operand(1), sum);
  tensor::Dims a_free = Free(a, attrs.lhs_batch, attrs.lhs_contracting);
  tensor::Dims b_free = Free(b, attrs.rhs_batch, attrs.rhs_contracting);
  Sizes sizes;
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
  Literal c = VisitComputeType(
      sum, [&](auto tag) { return Multiply<typename decltype(tag)::type>(a, b, sizes, Literal(sum, dims)); });
  cx.results.push_back(FromCompute(std::move(c), result));
  return true;
}

}  // namespace spmdc::ops
