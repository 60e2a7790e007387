// One function an instruction or two.
#include "ops/emit_pieces.h"

#include <algorithm>
#include <limits>

#include "ops/constant.h"
#include "ops/emit.h"
#include "ops/gather.h"
#include "ops/shape.h"
#include "ops/slice.h"

namespace spmdc::ops {

using ir::OpKind;

namespace {

tensor::Dims ToDims(llvm::ArrayRef<int64_t> dims) { return tensor::Dims(dims.begin(), dims.end()); }

ir::ValueId Splat(op::Builder& b, const ir::Type& like, int64_t value) {
  return EmitBroadcast(b, EmitScalar(b, like.dtype, value), like.dims);
}

}  // namespace

ir::ValueId EmitReshape(op::Builder& b, ir::ValueId x, llvm::ArrayRef<int64_t> dims) {
  return llvm::ArrayRef<int64_t>(b.type(x).dims) == dims
             ? x
             : b.Add1(OpKind::Reshape, {x}, b.Attrs(ReshapeAttrs{ToDims(dims)}));
}

ir::ValueId EmitTranspose(op::Builder& b, ir::ValueId x, llvm::ArrayRef<int64_t> permutation) {
  bool identity = true;
  for (size_t i = 0; i < permutation.size(); ++i) {
    identity = identity && permutation[i] == static_cast<int64_t>(i);
  }
  return identity ? x : b.Add1(OpKind::Transpose, {x}, b.Attrs(TransposeAttrs{ToDims(permutation)}));
}

ir::ValueId EmitBroadcastInDim(op::Builder& b, ir::ValueId x, llvm::ArrayRef<int64_t> dims,
                               llvm::ArrayRef<int64_t> to) {
  return llvm::ArrayRef<int64_t>(b.type(x).dims) == dims
             ? x
             : b.Add1(OpKind::BroadcastInDim, {x}, b.Attrs(BroadcastInDimAttrs{ToDims(dims), ToDims(to)}));
}

ir::ValueId EmitPadZeros(op::Builder& b, ir::ValueId x, int64_t dim, int64_t low, int64_t high) {
  size_t rank = b.type(x).rank();
  PadAttrs attrs{tensor::Dims(rank, 0), tensor::Dims(rank, 0), tensor::Dims(rank, 0)};
  attrs.low[static_cast<size_t>(dim)] = low;
  attrs.high[static_cast<size_t>(dim)] = high;
  ir::ValueId zero = EmitConstant(b, tensor::Literal(b.type(x).dtype, {}));
  return b.Add1(OpKind::Pad, {x, zero}, b.Attrs(std::move(attrs)));
}

ir::ValueId EmitResize(op::Builder& b, ir::ValueId x, int64_t dim, int64_t size) {
  ir::Type type = b.type(x);
  int64_t have = type.dims[static_cast<size_t>(dim)];
  if (have <= size) {
    return have == size ? x : EmitPadZeros(b, x, dim, 0, size - have);
  }
  return EmitStaticSlice(b, x, dim, 0, size);
}

ir::ValueId EmitStaticSlice(op::Builder& b, ir::ValueId x, int64_t dim, int64_t start, int64_t limit, int64_t stride) {
  ir::Type type = b.type(x);
  auto d = static_cast<size_t>(dim);
  if (start == 0 && limit == type.dims[d] && stride == 1) {
    return x;
  }
  SliceAttrs attrs{tensor::Dims(type.rank(), 0), type.dims, tensor::Dims(type.rank(), 1)};
  attrs.starts[d] = start;
  attrs.limits[d] = limit;
  attrs.strides[d] = stride;
  return b.Add1(OpKind::Slice, {x}, b.Attrs(std::move(attrs)));
}

namespace {

// Zeros for all dims but one.
void AppendStarts(op::Builder& b, size_t rank, int64_t dim, ir::ValueId start,
                  llvm::SmallVectorImpl<ir::ValueId>& operands) {
  size_t first = operands.size();
  operands.append(rank, rank > 1 ? EmitScalar(b, b.type(start).dtype, 0) : start);
  operands[first + static_cast<size_t>(dim)] = start;
}

}  // namespace

ir::ValueId EmitUpdateSlice(op::Builder& b, ir::ValueId x, ir::ValueId piece, int64_t dim, ir::ValueId start) {
  llvm::SmallVector<ir::ValueId, 6> operands = {x, piece};
  AppendStarts(b, b.type(x).rank(), dim, start, operands);
  return b.Add1(OpKind::DynamicUpdateSlice, operands);
}

ir::ValueId EmitDynamicSlice(op::Builder& b, ir::ValueId x, int64_t dim, ir::ValueId start, int64_t size) {
  ir::Type type = b.type(x);
  if (type.dims[static_cast<size_t>(dim)] == size) {
    return x;
  }
  llvm::SmallVector<ir::ValueId, 4> operands = {x};
  AppendStarts(b, type.rank(), dim, start, operands);
  DynamicSliceAttrs attrs{type.dims};
  attrs.sizes[static_cast<size_t>(dim)] = size;
  return b.Add1(OpKind::DynamicSlice, operands, b.Attrs(std::move(attrs)));
}

ir::ValueId EmitIota(op::Builder& b, tensor::DType dtype, llvm::ArrayRef<int64_t> dims, int64_t dim) {
  return b.Add1(OpKind::Iota, {}, b.Attrs(IotaAttrs{dtype, ToDims(dims), dim}));
}

ir::ValueId EmitCompare(op::Builder& b, Direction direction, ir::ValueId x, ir::ValueId y) {
  CompareType type =
      tensor::Class(b.type(x).dtype) == tensor::DClass::Signed ? CompareType::Signed : CompareType::Unsigned;
  return b.Add1(OpKind::Compare, {x, y}, b.Attrs(CompareAttrs{direction, type}));
}

ir::ValueId EmitAddConstant(op::Builder& b, ir::ValueId x, int64_t c) {
  return c == 0 ? x : b.Add1(OpKind::Add, {x, Splat(b, b.type(x), c)});
}

ir::ValueId EmitMultiplyConstant(op::Builder& b, ir::ValueId x, int64_t c) {
  return c == 1 ? x : b.Add1(OpKind::Multiply, {x, Splat(b, b.type(x), c)});
}

ir::ValueId EmitClamp(op::Builder& b, ir::ValueId x, int64_t low, int64_t high) {
  tensor::DType dtype = b.type(x).dtype;
  int bits = tensor::BitWidth(dtype);
  bool is_signed = tensor::Class(dtype) == tensor::DClass::Signed;
  int64_t most = bits >= 64 ? std::numeric_limits<int64_t>::max()
                            : static_cast<int64_t>((uint64_t{1} << (is_signed ? bits - 1 : bits)) - 1);
  int64_t least = !is_signed ? 0 : bits >= 64 ? std::numeric_limits<int64_t>::min() : -most - 1;
  ir::ValueId from = EmitScalar(b, dtype, std::clamp(low, least, most));
  ir::ValueId to = EmitScalar(b, dtype, std::clamp(high, least, most));
  return b.Add1(OpKind::Clamp, {from, x, to});
}

ir::ValueId EmitKeepIf(op::Builder& b, ir::ValueId condition, ir::ValueId x, const tensor::Literal& fill) {
  ir::Type type = b.type(x);
  return b.Add1(OpKind::Select, {condition, x, EmitBroadcast(b, EmitConstant(b, fill), type.dims)});
}

}  // namespace spmdc::ops
