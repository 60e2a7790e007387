// dot_general on host arrays: both operands are laid out as [batch, rows, k] and [batch, k, columns], then multiplied.
#include "ops/dot_eval.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "ops/dot.h"
#include "ops/elementwise_fn.h"
#include "ops/strided.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

using Sizes = MatrixSizes;

// Columns that are worked on together: a multiple of every vector register's length, known to the compiler.
constexpr int64_t kWidth = 16;

// Some columns of b, from `column` on, as [k, kWidth]. Columns that are not there hold anything: their sums are dropped.
template <typename T>
void PackColumns(const T* b, const Sizes& sizes, int64_t column, std::vector<T>& panel) {
  int64_t count = std::min(kWidth, sizes.columns - column);
  for (int64_t k = 0; k < sizes.k; ++k) {
    const T* from = b + k * sizes.columns + column;
    std::copy(from, from + count, panel.begin() + k * kWidth);
  }
}

// kRows rows of a times a panel: sums stay in registers, in the order of k.
template <int64_t kRows, typename T>
void MultiplyPanel(const T* a, const T* panel, T* c, const Sizes& sizes, int64_t columns) {
  fn::Add add;
  fn::Multiply multiply;
  T sums[kRows][kWidth] = {};
  for (int64_t k = 0; k < sizes.k; ++k) {
    for (int64_t i = 0; i < kRows; ++i) {
      T x = a[i * sizes.k + k];
      for (int64_t j = 0; j < kWidth; ++j) {
        sums[i][j] = add(sums[i][j], multiply(x, panel[k * kWidth + j]));
      }
    }
  }
  for (int64_t i = 0; i < kRows; ++i) {
    std::copy(sums[i], sums[i] + columns, c + i * sizes.columns);
  }
}

// c = a b for one batch; a [rows, k], b [k, columns], c [rows, columns].
template <typename T>
void MultiplyBatch(const T* a, const T* b, T* c, const Sizes& sizes, std::vector<T>& panel) {
  constexpr int64_t kRows = 2;
  for (int64_t column = 0; column < sizes.columns; column += kWidth) {
    PackColumns(b, sizes, column, panel);
    int64_t columns = std::min(kWidth, sizes.columns - column);
    int64_t i = 0;
    for (; i + kRows <= sizes.rows; i += kRows) {
      MultiplyPanel<kRows>(a + i * sizes.k, panel.data(), c + i * sizes.columns + column, sizes, columns);
    }
    for (; i < sizes.rows; ++i) {
      MultiplyPanel<1>(a + i * sizes.k, panel.data(), c + i * sizes.columns + column, sizes, columns);
    }
  }
}

template <typename T>
Literal Multiply(const Literal& a, const Literal& b, const Sizes& sizes, Literal c) {
  const T* x = a.data<T>().data();
  const T* y = b.data<T>().data();
  T* z = c.mutable_data<T>().data();
  std::vector<T> panel(static_cast<size_t>(sizes.k * kWidth));
  for (int64_t i = 0; i < sizes.batch; ++i) {
    MultiplyBatch(x + i * sizes.rows * sizes.k, y + i * sizes.k * sizes.columns, z + i * sizes.rows * sizes.columns,
                  sizes, panel);
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

Literal MultiplyMatrices(const Literal& a, const Literal& b, const MatrixSizes& sizes, DType sum) {
  return VisitComputeType(sum, [&](auto tag) {
    return Multiply<typename decltype(tag)::type>(a, b, sizes, Literal(sum, {sizes.batch, sizes.rows, sizes.columns}));
  });
}

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
  cx.results.push_back(FromCompute(MultiplyMatrices(a, b, sizes, sum).WithDims(dims), result));
  return true;
}

}  // namespace spmdc::ops
