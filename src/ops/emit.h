// Small runs of instructions that lowering needs: scalars, a device's number along axes, masks.
#pragma once

#include "op/builder.h"

namespace spmdc::ops {

// A scalar constant.
ir::ValueId EmitScalar(op::Builder& b, tensor::DType dtype, int64_t value);
ir::ValueId EmitConstant(op::Builder& b, tensor::Literal value);
// A scalar repeated over dims.
ir::ValueId EmitBroadcast(op::Builder& b, ir::ValueId scalar, llvm::ArrayRef<int64_t> dims);
ir::ValueId EmitConvert(op::Builder& b, ir::ValueId x, tensor::DType dtype);
// The narrower of s32 and s64 that holds every index of a dim of this size.
tensor::DType IndexType(int64_t size);
// The number of the device that runs this along the digits of `axes` (mixed radix, first major), from its partition id by
// division; meshes in another device order look their position up in a table first.
ir::ValueId EmitShardIndex(op::Builder& b, const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes,
                           tensor::DType dtype);
// x where index * block + i < size along `dim` (i counts the block), fill elsewhere. `index` is a scalar of
// IndexType(size rounded up to whole blocks); the block is x's dim.
ir::ValueId EmitMask(op::Builder& b, ir::ValueId x, int64_t dim, ir::ValueId index, int64_t size,
                     const tensor::Literal& fill);

}  // namespace spmdc::ops
