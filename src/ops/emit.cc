// The runs of instructions that several lowerings share.
#include "ops/emit.h"

#include <limits>

#include "ops/constant.h"
#include "ops/elementwise.h"
#include "ops/emit_pieces.h"
#include "ops/gather.h"
#include "ops/shape.h"

namespace spmdc::ops {

using ir::OpKind;

ir::ValueId EmitConstant(op::Builder& b, tensor::Literal value) {
  return b.Add1(OpKind::Constant, {}, b.Attrs(ConstantAttrs{std::move(value)}));
}

ir::ValueId EmitScalar(op::Builder& b, tensor::DType dtype, int64_t value) {
  return EmitConstant(b, tensor::Literal::Integer(dtype, {}, value));
}

ir::ValueId EmitBroadcast(op::Builder& b, ir::ValueId scalar, llvm::ArrayRef<int64_t> dims) {
  if (dims.empty()) {
    return scalar;
  }
  return b.Add1(OpKind::BroadcastInDim, {scalar},
                b.Attrs(BroadcastInDimAttrs{tensor::Dims(dims.begin(), dims.end()), {}}));
}

ir::ValueId EmitConvert(op::Builder& b, ir::ValueId x, tensor::DType dtype) {
  return b.type(x).dtype == dtype ? x : b.Add1(OpKind::Convert, {x}, b.Attrs(ConvertAttrs{dtype}));
}

tensor::DType IndexType(int64_t size) {
  return size <= std::numeric_limits<int32_t>::max() ? tensor::DType::S32 : tensor::DType::S64;
}

namespace {

// The position in the mesh of the device that runs this.
ir::ValueId EmitPosition(op::Builder& b, const mesh::Mesh& mesh, tensor::DType dtype) {
  ir::ValueId id = EmitConvert(b, b.Add1(OpKind::PartitionId, {}), dtype);
  if (mesh.device_ids.empty()) {
    return id;
  }
  llvm::SmallVector<int64_t, 0> positions(mesh.device_ids.size());
  for (size_t p = 0; p < mesh.device_ids.size(); ++p) {
    positions[static_cast<size_t>(mesh.device_ids[p])] = static_cast<int64_t>(p);
  }
  ir::ValueId table =
      EmitConstant(b, tensor::Literal::Integers(dtype, {static_cast<int64_t>(positions.size())}, positions));
  ir::ValueId entry = b.Add1(OpKind::DynamicSlice, {table, id}, b.Attrs(DynamicSliceAttrs{{1}}));
  return b.Add1(OpKind::Reshape, {entry}, b.Attrs(ReshapeAttrs{{}}));
}

}  // namespace

ir::ValueId EmitShardIndex(op::Builder& b, const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes,
                           tensor::DType dtype) {
  if (mesh::Product(axes) == 1) {
    return EmitScalar(b, dtype, 0);
  }
  // Neighbouring digits that are neighbours in the mesh too are one digit.
  struct Digit {
    int64_t stride, size;
  };
  llvm::SmallVector<Digit, 4> digits;
  for (const mesh::AxisRef& ref : axes) {
    int64_t stride = mesh::PositionStride(mesh, ref);
    if (!digits.empty() && digits.back().stride == stride * ref.size) {
      digits.back() = {stride, digits.back().size * ref.size};
    } else {
      digits.push_back({stride, ref.size});
    }
  }
  ir::ValueId position = EmitPosition(b, mesh, dtype);
  ir::ValueId index;
  for (const Digit& digit : digits) {
    ir::ValueId value = position;
    if (digit.stride != 1) {
      value = b.Add1(OpKind::Divide, {value, EmitScalar(b, dtype, digit.stride)});
    }
    if (digit.stride * digit.size != mesh.size()) {
      value = b.Add1(OpKind::Remainder, {value, EmitScalar(b, dtype, digit.size)});
    }
    if (index.valid()) {
      ir::ValueId scaled = b.Add1(OpKind::Multiply, {index, EmitScalar(b, dtype, digit.size)});
      value = b.Add1(OpKind::Add, {scaled, value});
    }
    index = value;
  }
  return index;
}

ir::ValueId EmitMask(op::Builder& b, ir::ValueId x, int64_t dim, ir::ValueId index, int64_t size,
                     const tensor::Literal& fill) {
  ir::Type type = b.type(x);
  int64_t block = type.dims[static_cast<size_t>(dim)];
  tensor::DType dtype = b.type(index).dtype;
  ir::ValueId offset = b.Add1(OpKind::Multiply, {index, EmitScalar(b, dtype, block)});
  // How many of this block's elements are real: compared before adding, so that nothing overflows.
  ir::ValueId left = b.Add1(OpKind::Subtract, {EmitScalar(b, dtype, size), offset});
  ir::ValueId count = EmitIota(b, dtype, type.dims, dim);
  ir::ValueId real = EmitCompare(b, Direction::Lt, count, EmitBroadcast(b, left, type.dims));
  return EmitKeepIf(b, real, x, fill);
}

}  // namespace spmdc::ops
