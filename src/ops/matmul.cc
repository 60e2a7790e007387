// Products of matrices: oneDNN for large ones of f32, loops over panels of columns for the rest.
#include "ops/matmul.h"

#include <algorithm>
#include <vector>

#include "ops/elementwise_fn.h"
#include "ops/onednn.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::Literal;

// From this many multiplications on, oneDNN gains more than it costs to open.
constexpr int64_t kLarge = int64_t{1} << 22;

// Columns that are worked on together: a multiple of every vector register's length, known to the compiler.
constexpr int64_t kWidth = 16;

// Rows of b that are worked on together: as panels of that many fit the first cache, and so do rows of a.
constexpr int64_t kDepth = 256;

// A block of a product: `depth` terms of every sum in rows x `columns` of c.
struct Block {
  int64_t rows = 0, depth = 0, columns = 0;
  int64_t a_stride = 0, c_stride = 0;  // from row to row
  bool first = true;                   // sums begin here; else they go on from c
};

// Rows of b from `from` on, `columns` of each, as [depth, kWidth]. Columns that are not there hold anything: their sums are
// dropped.
template <typename T>
void PackPanel(const T* from, int64_t stride, const Block& block, T* panel) {
  for (int64_t k = 0; k < block.depth; ++k) {
    std::copy(from, from + block.columns, panel);
    from += stride;
    panel += kWidth;
  }
}

// kRows rows of a times a panel: sums stay in registers, in the order of k. Inlined, so that it is compiled for the
// registers of whoever calls it; unrolled, since only then arrays of sums are registers.
template <int64_t kRows, typename T>
[[gnu::always_inline]] inline void MultiplyPanel(const T* a, const T* panel, T* c, const Block& block) {
  fn::Add add;
  fn::Multiply multiply;
  T sums[kRows][kWidth] = {};
  for (int64_t i = 0; i < kRows && !block.first; ++i) {
    std::copy(c + i * block.c_stride, c + i * block.c_stride + block.columns, sums[i]);
  }
  for (int64_t k = 0; k < block.depth; ++k) {
#pragma GCC unroll 8
    for (int64_t i = 0; i < kRows; ++i) {
      T x = a[i * block.a_stride + k];
#pragma GCC unroll 16
      for (int64_t j = 0; j < kWidth; ++j) {
        sums[i][j] = add(sums[i][j], multiply(x, panel[k * kWidth + j]));
      }
    }
  }
  for (int64_t i = 0; i < kRows; ++i) {
    std::copy(sums[i], sums[i] + block.columns, c + i * block.c_stride);
  }
}

// All rows of a times one panel.
template <int64_t kRows, typename T>
[[gnu::always_inline]] inline void MultiplyRows(const T* a, const T* panel, T* c, const Block& block) {
  int64_t i = 0;
  for (; i + kRows <= block.rows; i += kRows) {
    MultiplyPanel<kRows>(a + i * block.a_stride, panel, c + i * block.c_stride, block);
  }
  for (; i < block.rows; ++i) {
    MultiplyPanel<1>(a + i * block.a_stride, panel, c + i * block.c_stride, block);
  }
}

template <typename T>
using RowsFn = void (*)(const T*, const T*, T*, const Block&);

template <typename T>
RowsFn<T> ChooseRows() {
  return MultiplyRows<2, T>;
}

#ifdef __x86_64__
// f64 is what every check measures rounding in, and oneDNN has none of it.
[[gnu::target("avx512f,fma")]] void RowsInAvx512(const double* a, const double* panel, double* c, const Block& block) {
  MultiplyRows<6>(a, panel, c, block);
}
[[gnu::target("avx2,fma")]] void RowsInAvx2(const double* a, const double* panel, double* c, const Block& block) {
  MultiplyRows<2>(a, panel, c, block);
}

template <>
RowsFn<double> ChooseRows<double>() {
  if (__builtin_cpu_supports("avx512f")) {
    return RowsInAvx512;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? RowsInAvx2 : MultiplyRows<2, double>;
}
#endif

template <typename T>
void MultiplyOne(const T* a, const T* b, T* c, const MatrixSizes& sizes, std::vector<T>& panel, RowsFn<T> rows) {
  Block block{sizes.rows, 0, 0, sizes.k, sizes.columns};
  for (int64_t column = 0; column < sizes.columns; column += kWidth) {
    block.columns = std::min(kWidth, sizes.columns - column);
    for (int64_t k = 0; k < sizes.k; k += kDepth) {
      block.depth = std::min(kDepth, sizes.k - k);
      block.first = k == 0;
      PackPanel(b + k * sizes.columns + column, sizes.columns, block, panel.data());
      rows(a + k, panel.data(), c + column, block);
    }
  }
}

// c is zero where there is nothing to add up.
template <typename T>
void MultiplyByLoops(const T* a, const T* b, T* c, const MatrixSizes& sizes) {
  RowsFn<T> rows = ChooseRows<T>();
  std::vector<T> panel(static_cast<size_t>(kDepth * kWidth));
  for (int64_t i = 0; i < sizes.batch; ++i) {
    MultiplyOne(a + i * sizes.rows * sizes.k, b + i * sizes.k * sizes.columns, c + i * sizes.rows * sizes.columns,
                sizes, panel, rows);
  }
}

template <typename T>
void Multiply(const T* a, const T* b, T* c, const MatrixSizes& sizes) {
  MultiplyByLoops(a, b, c, sizes);
}

void Multiply(const float* a, const float* b, float* c, const MatrixSizes& sizes) {
  if (sizes.rows * sizes.columns * sizes.k < kLarge || !MultiplyByOneDnn(a, b, c, sizes)) {
    MultiplyByLoops(a, b, c, sizes);
  }
}

}  // namespace

Literal MultiplyMatrices(const Literal& a, const Literal& b, const MatrixSizes& sizes) {
  return VisitComputeType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    Literal c(a.dtype(), {sizes.batch, sizes.rows, sizes.columns});
    Multiply(a.data<T>().data(), b.data<T>().data(), c.mutable_data<T>().data(), sizes);
    return c;
  });
}

}  // namespace spmdc::ops
