// Lowering of gather and scatter where addressed dims are sharded: each device serves its own block.
//
// gather: starts are clamped as the whole array's size says, then made relative to the block; elements of other blocks
// become zero, so that the sum over the devices is the result. scatter: indices are made relative to the block, and what
// falls outside of it is dropped as the op drops any update outside; where the updates are sharded, the operand's own
// value enters the combination once, on the first of their shards.
#include "ops/gather_localize.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/addressing.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/reduce.h"
#include "ops/slice.h"
#include "support/all_equal.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

// What is known of one component of an index.
struct Component {
  int64_t size = 1;  // of the whole dim that it addresses
  int64_t window = 1;
  int64_t block = 1;    // of the dim on this device
  mesh::AxisList axes;  // that split the dim
};

// The operand dim has one factor that says whether it is split.
llvm::SmallVector<Component, 4> Components(const op::LocalizeContext& cx, const Addressing& a) {
  llvm::SmallVector<Component, 4> components;
  const mesh::Sharding& sharding = cx.operand_sharding(0);
  for (int64_t d : a.index_map) {
    auto dim = static_cast<size_t>(d);
    Component c;
    c.size = cx.global_operand(0).dims[dim];
    c.window = a.window_sizes[dim];
    c.block = cx.local_operand(0).dims[dim];
    // A dim taken whole starts at 0 whatever the index says: its blocks pass through.
    bool passes = c.window == c.size;
    c.axes = passes ? mesh::AxisList() : sharding.dims[dim].axes;
    components.push_back(std::move(c));
  }
  return components;
}

bool IsSplit(llvm::ArrayRef<Component> components) {
  return llvm::any_of(components, [](const Component& c) { return mesh::Product(c.axes) > 1; });
}

// One value per component, as an array of the indices' dims.
ir::ValueId Spread(op::Builder& b, llvm::ArrayRef<ir::ValueId> scalars, const ir::Type& indices, int64_t vector_dim) {
  if (scalars.size() == 1) {
    return EmitBroadcast(b, scalars[0], indices.dims);
  }
  llvm::SmallVector<ir::ValueId, 4> parts;
  for (ir::ValueId scalar : scalars) {
    parts.push_back(EmitReshape(b, scalar, {1}));
  }
  ir::ValueId joined = b.Add1(OpKind::Concatenate, parts, b.Attrs(ConcatenateAttrs{0}));
  return EmitBroadcastInDim(b, joined, indices.dims, {vector_dim});
}

ir::ValueId SpreadConstants(op::Builder& b, llvm::ArrayRef<int64_t> values, const ir::Type& indices,
                            int64_t vector_dim) {
  if (AllEqual(values)) {
    return EmitBroadcast(b, EmitScalar(b, indices.dtype, values[0]), indices.dims);
  }
  auto count = static_cast<int64_t>(values.size());
  ir::ValueId joined = EmitConstant(b, tensor::Literal::Integers(indices.dtype, {count}, values));
  return EmitBroadcastInDim(b, joined, indices.dims, {vector_dim});
}

// Indices minus this device's offsets.
ir::ValueId Relative(op::LocalizeContext& cx, ir::ValueId indices, llvm::ArrayRef<Component> components,
                     int64_t vector_dim) {
  op::Builder& b = cx.builder();
  ir::Type type = b.type(indices);
  llvm::SmallVector<ir::ValueId, 4> offsets;
  for (const Component& c : components) {
    bool split = mesh::Product(c.axes) > 1;
    offsets.push_back(
        split ? EmitMultiplyConstant(b, cx.ShardIndex(cx.operand_sharding(0).mesh, c.axes, type.dtype), c.block)
              : EmitScalar(b, type.dtype, 0));
  }
  return b.Add1(OpKind::Subtract, {indices, Spread(b, offsets, type, vector_dim)});
}

// The starts that a gather really uses, in an index type that holds every one of them.
ir::ValueId ClampStarts(op::LocalizeContext& cx, ir::ValueId indices, llvm::ArrayRef<Component> components,
                        int64_t vector_dim) {
  op::Builder& b = cx.builder();
  int64_t largest = 1;
  llvm::SmallVector<int64_t, 4> limits;
  for (const Component& c : components) {
    limits.push_back(c.size - c.window);
    largest = std::max(largest, c.block * mesh::Product(c.axes));
  }
  if (AllEqual(limits)) {
    return EmitConvert(b, EmitClamp(b, indices, 0, limits[0]), IndexType(largest));
  }
  // Cut to the largest limit first, so that nothing is lost by the conversion.
  int64_t most = *std::max_element(limits.begin(), limits.end());
  ir::ValueId converted = EmitConvert(b, EmitClamp(b, indices, 0, most), IndexType(largest));
  return b.Add1(OpKind::Minimum, {converted, SpreadConstants(b, limits, b.type(converted), vector_dim)});
}

// Per window: whether all its components fall into this device's blocks.
ir::ValueId OwnWindows(op::LocalizeContext& cx, ir::ValueId local, llvm::ArrayRef<Component> components,
                       int64_t vector_dim) {
  op::Builder& b = cx.builder();
  ir::Type type = b.type(local);
  llvm::SmallVector<int64_t, 4> blocks;
  for (const Component& c : components) {
    blocks.push_back(mesh::Product(c.axes) > 1 ? c.block : c.size);
  }
  ir::ValueId zero = EmitBroadcast(b, EmitScalar(b, type.dtype, 0), type.dims);
  ir::ValueId not_before = EmitCompare(b, Direction::Ge, local, zero);
  ir::ValueId not_behind = EmitCompare(b, Direction::Lt, local, SpreadConstants(b, blocks, type, vector_dim));
  ir::ValueId inside = b.Add1(OpKind::And, {not_before, not_behind});
  if (vector_dim == static_cast<int64_t>(type.rank())) {
    return inside;
  }
  tensor::Dims dims = type.dims;
  dims.erase(dims.begin() + vector_dim);
  if (components.size() == 1) {
    return EmitReshape(b, inside, dims);
  }
  ir::ValueId yes = EmitScalar(b, tensor::DType::Pred, 1);
  return b.Add1(OpKind::Reduce, {inside, yes}, b.Attrs(ReduceAttrs{{vector_dim}}),
                {cx.MonoidBody(mesh::Monoid::And, tensor::DType::Pred)});
}

}  // namespace

bool LocalizeGather(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  GatherAttrs attrs = cx.attrs<GatherAttrs>();
  Addressing a = AddressingOf(attrs);
  for (size_t d = 0; d < attrs.slice_sizes.size(); ++d) {
    if (attrs.slice_sizes[d] == cx.global_operand(0).dims[d]) {
      attrs.slice_sizes[d] = cx.local_operand(0).dims[d];
    }
  }
  ir::ValueId indices = cx.operands()[1];
  auto components = Components(cx, a);
  bool split = IsSplit(components);
  if (split) {
    indices = Relative(cx, ClampStarts(cx, indices, components, a.index_vector_dim), components, a.index_vector_dim);
  }
  ir::ValueId result = b.Add1(OpKind::Gather, {cx.operands()[0], indices}, b.Attrs(std::move(attrs)));
  if (split) {
    ir::ValueId own = OwnWindows(cx, indices, components, a.index_vector_dim);
    ir::Type type = b.type(result);
    own = EmitBroadcastInDim(b, own, type.dims, WindowBatchDims(a, type.rank()));
    result = EmitKeepIf(b, own, result, tensor::Literal(type.dtype, {}));
  }
  cx.Results({result});
  return true;
}

namespace {

// The type to subtract offsets in: no index may wrap into a block it does not belong to.
tensor::DType ScatterIndexType(tensor::DType given, llvm::ArrayRef<Component> components) {
  int64_t largest = 1;
  for (const Component& c : components) {
    largest = std::max(largest, c.block * mesh::Product(c.axes));
  }
  bool narrow = tensor::BitWidth(given) < tensor::BitWidth(IndexType(largest));
  return narrow ? IndexType(largest) : given;
}

}  // namespace

bool LocalizeScatter(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ScatterAttrs attrs = cx.attrs<ScatterAttrs>();
  size_t n = cx.operands().size() / 2;
  Addressing a = AddressingOf(attrs, cx.global_operand(0), cx.global_operand(n + 1));
  llvm::SmallVector<ir::ValueId, 4> operands(cx.operands().begin(), cx.operands().end());
  auto components = Components(cx, a);
  if (IsSplit(components)) {
    tensor::DType dtype = ScatterIndexType(b.type(operands[n]).dtype, components);
    operands[n] = Relative(cx, EmitConvert(b, operands[n], dtype), components, a.index_vector_dim);
    // Unsigned indices in front of the block wrap around to the largest numbers: outside, but no longer in order.
    attrs.indices_are_sorted = attrs.indices_are_sorted && tensor::Class(dtype) == tensor::DClass::Signed;
  }
  mesh::AxisList summed;
  for (size_t f = 0; f < cx.rule().factors.size(); ++f) {
    if (cx.rule().factors[f].kind == op::FactorKind::Reduce) {
      llvm::ArrayRef<mesh::AxisRef> axes = cx.axes(static_cast<int32_t>(f));
      summed.append(axes.begin(), axes.end());
    }
  }
  if (mesh::Product(summed) > 1) {
    ir::ValueId index = cx.ShardIndex(cx.operand_sharding(n).mesh, summed, tensor::DType::S32);
    ir::ValueId first = EmitCompare(b, Direction::Eq, index, EmitScalar(b, tensor::DType::S32, 0));
    for (size_t i = 0; i < n; ++i) {
      operands[i] =
          EmitKeepIf(b, first, operands[i], op::Identity(cx.rule().result_monoid[i], b.type(operands[i]).dtype));
    }
  }
  auto results = b.Add(OpKind::Scatter, operands, b.Attrs(std::move(attrs)), {cx.body(0)});
  cx.Results(results ? llvm::ArrayRef<ir::ValueId>(*results) : llvm::ArrayRef<ir::ValueId>());
  return true;
}

}  // namespace spmdc::ops
