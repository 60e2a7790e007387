// ReshardLowering of a reshard step to local ops and one collective.
//
// Blocks: a dim of size N in `count` blocks is stored as ceil(N/count) elements each. Plan asks only for moves between a
// coarser and a finer split whose blocks nest: either the coarser block is exactly the finer ones side by side, or the dim
// is whole on the coarser side, N elements without padding. In the second case padding is added before the dim is cut and
// taken off after it is put together; what it holds is never read.
#include "ops/reshard.h"

#include "op/op_def.h"
#include "ops/collective.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/sharding.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

class ReshardLowering {
 public:
  explicit ReshardLowering(op::LocalizeContext& cx)
      : cx_(cx),
        b_(cx.builder()),
        attrs_(cx.attrs<ReshardAttrs>()),
        mesh_((Spreads(attrs_.move) ? cx.result_sharding(0) : cx.operand_sharding(0)).mesh),
        group_(mesh::Product(attrs_.axes)),
        x_(cx.operands()[0]) {}

  ir::ValueId Run() {
    const ir::Type local = cx_.local_result(0);
    if (local.num_elements() == 0) {
      // Nothing is sent: XLA takes no collective along a dim without elements.
      return EmitBroadcast(b_, EmitScalar(b_, local.dtype, 0), local.dims);
    }
    switch (attrs_.move) {
      case Move::Slice:
        return Slice();
      case Move::AllGather:
        return AllGather();
      case Move::AllToAll:
        return AllToAll();
      case Move::Permute:
        return Permute();
      case Move::AllReduce:
        return AllReduce();
      case Move::ReduceScatter:
        return ReduceScatter();
      case Move::ToPartial:
        return ToPartial();
    }
    return {};
  }

 private:
  // The moves whose axes the result has and the operand has not: their mesh is the result's.
  static bool Spreads(Move move) { return move == Move::Slice || move == Move::ToPartial; }

  int64_t ResultSize(int64_t dim) const { return cx_.local_result(0).dims[static_cast<size_t>(dim)]; }

  CollectiveAttrs Grouped() {
    CollectiveAttrs attrs;
    attrs.groups.mesh = mesh_;
    attrs.groups.axes = attrs_.axes;
    attrs.channel = cx_.NextChannel();
    return attrs;
  }
  ir::AttrsId Along(int64_t dim) {
    CollectiveAttrs attrs = Grouped();
    attrs.dim = dim;
    return b_.Attrs(std::move(attrs));
  }

  ir::ValueId Slice() {
    int64_t size = ResultSize(attrs_.dim);
    ir::ValueId padded = EmitResize(b_, x_, attrs_.dim, group_ * size);
    ir::ValueId index = cx_.ShardIndex(mesh_, attrs_.axes, IndexType(group_ * size));
    return EmitDynamicSlice(b_, padded, attrs_.dim, EmitMultiplyConstant(b_, index, size), size);
  }

  ir::ValueId AllGather() {
    int64_t block = cx_.local_operand(0).dims[static_cast<size_t>(attrs_.dim)];
    if (IsMostlyPadding(ResultSize(attrs_.dim), block, group_)) {
      return AddUp(block);
    }
    ir::ValueId gathered = b_.Add1(OpKind::AllGather, {x_}, Along(attrs_.dim));
    return EmitResize(b_, gathered, attrs_.dim, ResultSize(attrs_.dim));
  }

  // Blocks that hold elements side by side, those of other devices zero, in an all-reduce. Devices behind the last of them
  // have nothing: they write zeros over it.
  ir::ValueId AddUp(int64_t block) {
    int64_t size = ResultSize(attrs_.dim), blocks = (size + block - 1) / block;
    tensor::DType index_type = IndexType(group_ * block), dtype = b_.type(x_).dtype;
    ir::ValueId index = cx_.ShardIndex(mesh_, attrs_.axes, index_type);
    ir::ValueId has = EmitCompare(b_, Direction::Lt, index, EmitScalar(b_, index_type, blocks));
    tensor::Literal zero = op::Identity(mesh::Monoid::Sum, dtype);
    ir::ValueId placed = EmitKeepIf(b_, has, x_, zero);
    if (blocks > 1) {
      tensor::Dims dims = b_.type(x_).dims;
      dims[static_cast<size_t>(attrs_.dim)] = blocks * block;
      ir::ValueId zeros = EmitBroadcast(b_, EmitConstant(b_, zero), dims);
      placed = EmitUpdateSlice(b_, zeros, placed, attrs_.dim, EmitMultiplyConstant(b_, index, block));
    }
    mesh::Monoid monoid = dtype == tensor::DType::Pred ? mesh::Monoid::Or : mesh::Monoid::Sum;
    return b_.Add1(OpKind::AllReduce, {EmitResize(b_, placed, attrs_.dim, size)}, Along(0), {Combine(monoid)});
  }

  ir::ValueId AllToAll() {
    ir::ValueId padded = EmitResize(b_, x_, attrs_.to_dim, group_ * ResultSize(attrs_.to_dim));
    CollectiveAttrs attrs = Grouped();
    attrs.dim = attrs_.to_dim;
    attrs.concat_dim = attrs_.dim;
    return EmitResize(b_, EmitAllToAll(b_, padded, std::move(attrs), group_), attrs_.dim, ResultSize(attrs_.dim));
  }

  static mesh::AxisList BlockDigits(const mesh::Sharding& sharding) {
    mesh::AxisList digits;
    for (const mesh::DimSharding& dim : sharding.dims) {
      mesh::Append(digits, dim.axes);
    }
    return mesh::DropUnits(digits);
  }

  ir::ValueId Permute() {
    PermuteAttrs attrs;
    attrs.mesh = mesh_;
    attrs.to_mesh = cx_.result_sharding(0).mesh;
    attrs.from = BlockDigits(cx_.operand_sharding(0));
    attrs.to = BlockDigits(cx_.result_sharding(0));
    attrs.channel = cx_.NextChannel();
    return b_.Add1(OpKind::CollectivePermute, {x_}, b_.Attrs(std::move(attrs)));
  }

  ir::FuncId Combine(mesh::Monoid monoid) { return cx_.MonoidBody(monoid, b_.type(x_).dtype); }

  ir::ValueId AllReduce() {
    ir::FuncId body = Combine(cx_.operand_sharding(0).unreduced_kind);
    return b_.Add1(OpKind::AllReduce, {x_}, Along(0), {body});
  }

  ir::ValueId ReduceScatter() {
    ir::FuncId body = Combine(cx_.operand_sharding(0).unreduced_kind);
    ir::ValueId padded = EmitResize(b_, x_, attrs_.dim, group_ * ResultSize(attrs_.dim));
    return b_.Add1(OpKind::ReduceScatter, {padded}, Along(attrs_.dim), {body});
  }

  ir::ValueId ToPartial() {
    ir::ValueId index = cx_.ShardIndex(mesh_, attrs_.axes, tensor::DType::S32);
    ir::ValueId first = EmitCompare(b_, Direction::Eq, index, EmitScalar(b_, tensor::DType::S32, 0));
    return EmitKeepIf(b_, first, x_, op::Identity(cx_.result_sharding(0).unreduced_kind, b_.type(x_).dtype));
  }

  op::LocalizeContext& cx_;
  op::Builder& b_;
  const ReshardAttrs& attrs_;
  mesh::MeshId mesh_;
  int64_t group_;
  ir::ValueId x_;
};

}  // namespace

// The exchange cuts split_dim and puts the pieces received in their senders' order along split_dim again; that order is
// then moved in front of concat_dim.
ir::ValueId EmitAllToAll(op::Builder& b, ir::ValueId x, CollectiveAttrs attrs, int64_t group) {
  int64_t split_dim = attrs.dim, concat_dim = attrs.concat_dim;
  attrs.concat_dim = split_dim;
  ir::ValueId exchanged = b.Add1(OpKind::AllToAll, {x}, b.Attrs(std::move(attrs)));
  if (split_dim == concat_dim) {
    return exchanged;
  }
  tensor::Dims split = b.type(exchanged).dims, order, merged;
  auto rank = static_cast<int64_t>(split.size());
  split[static_cast<size_t>(split_dim)] /= group;
  split.insert(split.begin() + split_dim, group);
  // Dims of `split`: split_dim is the sender; d of x is d, or d + 1 from split_dim on.
  for (int64_t d = 0; d < rank; ++d) {
    if (d == concat_dim) {
      order.push_back(split_dim);
    }
    order.push_back(d < split_dim ? d : d + 1);
    int64_t size = split[static_cast<size_t>(order.back())];
    merged.push_back(d == concat_dim ? size * group : size);
  }
  return EmitReshape(b, EmitTranspose(b, EmitReshape(b, exchanged, split), order), merged);
}

bool LocalizeReshard(op::LocalizeContext& cx) {
  cx.Results({ReshardLowering(cx).Run()});
  return true;
}

}  // namespace spmdc::ops
