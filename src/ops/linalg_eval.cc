// cholesky and triangular_solve on host arrays, in complex double.
#include <cmath>
#include <complex>
#include <vector>

#include "ops/linalg.h"

namespace spmdc::ops {
namespace {

using tensor::Literal;
using Number = std::complex<double>;

// A matrix of a literal that holds them one behind the other.
struct ComplexMatrix {
  int64_t rows, columns;
  std::vector<Number> at;
  ComplexMatrix(const Literal& x, int64_t batch, int64_t r, int64_t c)
      : rows(r), columns(c), at(static_cast<size_t>(r * c)) {
    for (int64_t i = 0; i < r * c; ++i) {
      at[static_cast<size_t>(i)] = x.GetComplex(batch * r * c + i);
    }
  }
  Number& operator()(int64_t i, int64_t j) { return at[static_cast<size_t>(i * columns + j)]; }
  void Store(Literal& x, int64_t batch) const {
    for (int64_t i = 0; i < rows * columns; ++i) {
      Number value = at[static_cast<size_t>(i)];
      if (tensor::IsComplex(x.dtype())) {
        x.SetComplex(batch * rows * columns + i, value);
      } else {
        x.SetReal(batch * rows * columns + i, value.real());
      }
    }
  }
};

void TransposeSquare(ComplexMatrix& a, bool conjugate) {
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      std::swap(a(i, j), a(j, i));
    }
  }
  for (Number& value : a.at) {
    value = conjugate ? std::conj(value) : value;
  }
}

// The lower factor in place of the lower triangle; zeros above it.
void Factor(ComplexMatrix& a) {
  for (int64_t j = 0; j < a.rows; ++j) {
    for (int64_t i = 0; i < j; ++i) {
      a(i, j) = 0;
    }
    for (int64_t k = 0; k < j; ++k) {
      for (int64_t i = j; i < a.rows; ++i) {
        a(i, j) -= a(i, k) * std::conj(a(j, k));
      }
    }
    Number root = std::sqrt(a(j, j).real());
    for (int64_t i = j; i < a.rows; ++i) {
      a(i, j) = i == j ? root : a(i, j) / root;
    }
  }
}

// a x = b in place of b, a triangular.
void Solve(ComplexMatrix& a, ComplexMatrix& b, bool lower, bool unit) {
  for (int64_t step = 0; step < a.rows; ++step) {
    int64_t i = lower ? step : a.rows - 1 - step;
    for (int64_t c = 0; c < b.columns; ++c) {
      Number sum = b(i, c);
      for (int64_t k = lower ? 0 : i + 1; k < (lower ? i : a.rows); ++k) {
        sum -= a(i, k) * b(k, c);
      }
      b(i, c) = unit ? sum : sum / a(i, i);
    }
  }
}

ComplexMatrix TransposedMatrix(const ComplexMatrix& x) {
  ComplexMatrix result = x;
  std::swap(result.rows, result.columns);
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < x.columns; ++j) {
      result(j, i) = x.at[static_cast<size_t>(i * x.columns + j)];
    }
  }
  return result;
}

}  // namespace

bool EvalCholesky(op::EvalContext& cx) {
  bool lower = cx.attrs<CholeskyAttrs>().lower;
  Literal x = cx.operand(0).Materialize(), result(x.dtype(), x.dims());
  int64_t n = x.dims().back();
  for (int64_t batch = 0, count = n == 0 ? 0 : x.size() / (n * n); batch < count; ++batch) {
    ComplexMatrix a(x, batch, n, n);
    if (!lower) {
      TransposeSquare(a, true);
    }
    Factor(a);
    if (!lower) {
      TransposeSquare(a, true);
    }
    a.Store(result, batch);
  }
  cx.results.push_back(std::move(result));
  return true;
}

bool SolvesTriangular(const Literal& a, const Literal& b, const TriangularSolveAttrs& attrs) {
  size_t rank = a.dims().size();
  return rank >= 2 && a.dtype() == b.dtype() && b.dims().size() == rank && a.dims()[rank - 1] == a.dims()[rank - 2] &&
         a.dims().drop_back(2) == b.dims().drop_back(2) &&
         b.dims()[rank - (attrs.left_side ? 2 : 1)] == a.dims().back();
}

Literal SolveTriangular(const Literal& triangular, const Literal& right_side, const TriangularSolveAttrs& attrs) {
  Literal left = triangular.Materialize(), right = right_side.Materialize();
  Literal result(right.dtype(), right.dims());
  int64_t n = left.dims().back(), columns = right.dims().back(), rows = right.dims()[right.dims().size() - 2];
  for (int64_t batch = 0, count = n == 0 ? 0 : left.size() / (n * n); batch < count; ++batch) {
    ComplexMatrix a(left, batch, n, n), b(right, batch, rows, columns);
    bool lower = attrs.lower;
    if (attrs.transpose != Transpose::No) {
      TransposeSquare(a, attrs.transpose == Transpose::Adjoint);
      lower = !lower;
    }
    if (!attrs.left_side) {
      // x a = b is a^T x^T = b^T.
      TransposeSquare(a, false);
      b = TransposedMatrix(b);
      Solve(a, b, !lower, attrs.unit_diagonal);
      b = TransposedMatrix(b);
    } else {
      Solve(a, b, lower, attrs.unit_diagonal);
    }
    b.Store(result, batch);
  }
  return result;
}

bool EvalTriangularSolve(op::EvalContext& cx) {
  cx.results.push_back(SolveTriangular(cx.operand(0), cx.operand(1), cx.attrs<TriangularSolveAttrs>()));
  return true;
}

}  // namespace spmdc::ops
