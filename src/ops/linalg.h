// Attributes of ops on whole matrices and signals.
#pragma once

#include "ir/attrs.h"
#include "op/op_def.h"

namespace spmdc::ops {

enum class FftType : uint8_t { Fft, Ifft, Rfft, Irfft };

// Transforms the last `length.size()` dims.
struct FftAttrs {
  FftType type = FftType::Fft;
  tensor::Dims length;
  void Visit(ir::FieldVisitor& v) {
    v.EnumField("fft_type", type, {"FFT", "IFFT", "RFFT", "IRFFT"});
    v.Field("fft_length", length);
  }
};

struct CholeskyAttrs {
  bool lower = true;
  void Visit(ir::FieldVisitor& v) { v.Field("lower", lower); }
};

enum class Transpose : uint8_t { No, Transpose, Adjoint };

// Operands a, b: the x with op(a) x = b (left) or x op(a) = b.
struct TriangularSolveAttrs {
  bool left_side = true, lower = true, unit_diagonal = false;
  Transpose transpose = Transpose::No;
  void Visit(ir::FieldVisitor& v) {
    v.Field("left_side", left_side);
    v.Field("lower", lower);
    v.Field("unit_diagonal", unit_diagonal);
    v.EnumField("transpose_a", transpose, {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"});
  }
};

// Whether b is a right side of batches of square matrices, and what solves it.
bool SolvesTriangular(const tensor::Literal& a, const tensor::Literal& b, const TriangularSolveAttrs& attrs);
tensor::Literal SolveTriangular(const tensor::Literal& a, const tensor::Literal& b, const TriangularSolveAttrs& attrs);

bool EvalCholesky(op::EvalContext& cx);
bool EvalTriangularSolve(op::EvalContext& cx);

}  // namespace spmdc::ops
