// Single instructions on local arrays, as lowerings of slices, gathers and reshards append them.
#pragma once

#include "op/builder.h"
#include "ops/elementwise.h"

namespace spmdc::ops {

ir::ValueId EmitReshape(op::Builder& b, ir::ValueId x, llvm::ArrayRef<int64_t> dims);
ir::ValueId EmitTranspose(op::Builder& b, ir::ValueId x, llvm::ArrayRef<int64_t> permutation);
// x's dim i becomes dim to[i] of an array of `dims`.
ir::ValueId EmitBroadcastInDim(op::Builder& b, ir::ValueId x, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> to);
// Zeros (false) in front of and behind a dim.
ir::ValueId EmitPadZeros(op::Builder& b, ir::ValueId x, int64_t dim, int64_t low, int64_t high);
// The first `size` elements of a dim, filled up with zeros behind: x itself where the dim has that size.
ir::ValueId EmitResize(op::Builder& b, ir::ValueId x, int64_t dim, int64_t size);
// Elements [start, limit) of one dim: x itself where that is all of it.
ir::ValueId EmitStaticSlice(op::Builder& b, ir::ValueId x, int64_t dim, int64_t start, int64_t limit,
                            int64_t stride = 1);
// `size` elements of one dim from `start`, a scalar; the other dims whole.
ir::ValueId EmitDynamicSlice(op::Builder& b, ir::ValueId x, int64_t dim, ir::ValueId start, int64_t size);
// x with a piece written over it from `start`, a scalar, along one dim.
ir::ValueId EmitUpdateSlice(op::Builder& b, ir::ValueId x, ir::ValueId piece, int64_t dim, ir::ValueId start);
// 0, 1, 2, ... along a dim.
ir::ValueId EmitIota(op::Builder& b, tensor::DType dtype, llvm::ArrayRef<int64_t> dims, int64_t dim);
ir::ValueId EmitCompare(op::Builder& b, Direction direction, ir::ValueId x, ir::ValueId y);
// x + c, x * c with a constant of x's type and dims.
ir::ValueId EmitAddConstant(op::Builder& b, ir::ValueId x, int64_t c);
ir::ValueId EmitMultiplyConstant(op::Builder& b, ir::ValueId x, int64_t c);
// min(max(x, low), high) with scalar bounds; bounds that x's type does not hold are cut to what it does.
ir::ValueId EmitClamp(op::Builder& b, ir::ValueId x, int64_t low, int64_t high);
// where(condition, x, splat of fill): the condition is a scalar or of x's dims.
ir::ValueId EmitKeepIf(op::Builder& b, ir::ValueId condition, ir::ValueId x, const tensor::Literal& fill);

}  // namespace spmdc::ops
