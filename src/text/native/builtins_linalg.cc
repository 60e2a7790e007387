// The ops behind lax.fft, lax.linalg.cholesky and lax.linalg.triangular_solve; the prelude has the functions.
#include "ops/linalg.h"
#include "text/native/evaluator.h"
#include "text/native/tracer.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;

// Prelude: fft_of(x, type, lengths), the type as ops::FftType numbers them.
Value FftOf(Call& c) {
  ops::FftAttrs attrs;
  attrs.type = static_cast<ops::FftType>(c.args[1].i);
  if (!c.ev.ToInts(c.args[2], "fft_lengths", attrs.length)) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(OpKind::Fft, c.args[0], c.ev.tracer().Attrs(std::move(attrs)));
}

// Prelude: cholesky_of(x), the lower factor.
Value CholeskyOf(Call& c) {
  return c.ev.tracer().Emit(OpKind::Cholesky, c.args[0], c.ev.tracer().Attrs(ops::CholeskyAttrs()));
}

// Prelude: triangular_solve_of(a, b, left_side, lower, unit_diagonal, transpose), the last as ops::Transpose numbers it.
Value TriangularSolveOf(Call& c) {
  ops::TriangularSolveAttrs attrs;
  attrs.left_side = c.args[2].b;
  attrs.lower = c.args[3].b;
  attrs.unit_diagonal = c.args[4].b;
  attrs.transpose = static_cast<ops::Transpose>(c.args[5].i);
  Value a = VaryLike(c.ev, c.args[0], TypeOfArray(c.args[1]));
  Value b = a.failed() ? a : VaryLike(c.ev, c.args[1], TypeOfArray(a));
  return b.failed() ? b : c.ev.tracer().Emit(OpKind::TriangularSolve, {a, b}, c.ev.tracer().Attrs(attrs));
}

const Builtin kLinalgOps[] = {
    {kPreludeOnly, "fft_of", FftOf},
    {kPreludeOnly, "cholesky_of", CholeskyOf},
    {kPreludeOnly, "triangular_solve_of", TriangularSolveOf},
};

}  // namespace

llvm::ArrayRef<Builtin> LinalgBuiltins() { return kLinalgOps; }

}  // namespace spmdc::text::native
