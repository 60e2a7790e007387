// take_ranges: ranges of one dim of an array, side by side. x[15:16] and x[0:15] of 16 rows are x rolled by one; split over 4
// devices, each gets one row of its neighbour's, the first of the last one's.
#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"
#include "ops/collective.h"
#include "ops/dims.h"
#include "ops/emit_pieces.h"
#include "ops/exchange.h"
#include "ops/slice.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;

bool InferTakeRanges(op::InferContext& cx) {
  const auto& attrs = cx.attrs<TakeRangesAttrs>();
  const ir::Type& x = cx.operand(0);
  if (!CheckDimList(cx, "dimension", {attrs.dim}, x.rank())) {
    return false;
  }
  auto dim = static_cast<size_t>(attrs.dim);
  tensor::Dims dims = x.dims;
  bool fits = attrs.starts.size() == attrs.limits.size();
  dims[dim] = 0;
  for (size_t i = 0; fits && i < attrs.starts.size(); ++i) {
    fits = attrs.starts[i] >= 0 && attrs.starts[i] <= attrs.limits[i] && attrs.limits[i] <= x.dims[dim];
    dims[dim] += attrs.limits[i] - attrs.starts[i];
  }
  if (!fits) {
    return cx.Fail(diag::Kind::ShapeRule, "ranges " + ShowList(attrs.starts) + " to " + ShowList(attrs.limits) +
                                              " do not fit dim " + std::to_string(dim) + " of " + cx.Show(x));
  }
  cx.Result(WithDims(x, dims));
  return true;
}

void RuleTakeRanges(op::RuleBuilder& b) {
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    bool taken = dim == b.attrs<TakeRangesAttrs>().dim;
    b.Factor(b.results[0].dims[d], taken ? FactorKind::Piece : FactorKind::Map, {dim}, {dim});
  }
}

// A part of a device's block of the result: what stands at `offset` in the block of the device that is `distance` further,
// counted in a ring.
struct RingPart {
  int64_t distance, offset, length;
  friend bool operator==(const RingPart&, const RingPart&) = default;
};
using Ring = llvm::SmallVector<RingPart, 4>;

// How the ranges of a split dim come to the devices.
class RangesMoves {
 public:
  explicit RangesMoves(const op::ShardedInst& s)
      : attrs_(s.attrs<TakeRangesAttrs>()),
        dim_(static_cast<size_t>(attrs_.dim)),
        axes_(s.DimAxes(s.rule.operands[0], dim_)),
        from_(BlocksOf(s.operand(0).dims[dim_], mesh::Product(axes_))),
        to_(BlocksOf(s.result(0).dims[dim_], mesh::Product(axes_))) {}

  bool IsSplit() const { return !axes_.empty() && to_.size > 0; }
  const mesh::AxisList& axes() const { return axes_; }

  // The parts of each device's block, where all are made alike: every part is one permute in which each device sends and
  // receives. Nothing if they are not, or gathering the dim is cheaper.
  std::optional<Ring> AsRing() const {
    if (to_.size % to_.count != 0) {
      return std::nullopt;
    }
    Ring first = PartsOf(0);
    for (int64_t k = 1; k < to_.count; ++k) {
      if (PartsOf(k) != first) {
        return std::nullopt;
      }
    }
    int64_t sent = 0;
    for (const RingPart& part : first) {
      sent += part.distance == 0 ? 0 : part.length;
    }
    return sent < (from_.count - 1) * from_.block ? std::optional(first) : std::nullopt;
  }

  // What devices need of the i-th range, which stands from element `offset` of the result on.
  DimExchange RangeExchange(size_t i, int64_t offset) const {
    Need need = EvenNeed(to_.count, attrs_.starts[i] - offset, to_.block, to_.block);
    need.begin = attrs_.starts[i];
    need.end = attrs_.limits[i];
    return {attrs_.dim, axes_, from_, std::move(need)};
  }

 private:
  Ring PartsOf(int64_t k) const {
    Ring parts;
    int64_t begin = k * to_.block, end = std::min(begin + to_.block, to_.size), offset = 0;
    for (size_t i = 0; i < attrs_.starts.size(); ++i) {
      int64_t at = std::max(begin, offset) - offset + attrs_.starts[i];
      int64_t stop = std::min(attrs_.limits[i], end - offset + attrs_.starts[i]);
      while (at < stop) {
        int64_t source = at / from_.block, next = std::min(stop, (source + 1) * from_.block);
        parts.push_back({(source - k + from_.count) % from_.count, at % from_.block, next - at});
        at = next;
      }
      offset += attrs_.limits[i] - attrs_.starts[i];
    }
    return parts;
  }

  const TakeRangesAttrs& attrs_;
  size_t dim_;
  mesh::AxisList axes_;
  Blocked from_, to_;
};

std::optional<op::Exchanged> ExchangeTakeRanges(const op::ShardedInst& s) {
  RangesMoves moves(s);
  op::Exchanged total;
  if (!moves.IsSplit()) {
    return total;
  }
  const auto& attrs = s.attrs<TakeRangesAttrs>();
  tensor::Dims dims = s.LocalOperandDims(0);
  if (std::optional<Ring> ring = moves.AsRing()) {
    for (const RingPart& part : *ring) {
      dims[static_cast<size_t>(attrs.dim)] = part.length;
      total.bytes += part.distance == 0 ? 0 : tensor::NumElements(dims) * tensor::ByteWidth(s.operand(0).dtype);
      total.collectives += part.distance == 0 ? 0 : 1;
    }
    return total;
  }
  int64_t offset = 0;
  for (size_t i = 0; i < attrs.starts.size(); ++i) {
    op::Exchanged one = PriceExchanges(dims, s.operand(0).dtype, moves.RangeExchange(i, offset));
    total.bytes += one.bytes;
    total.collectives += one.collectives;
    offset += attrs.limits[i] - attrs.starts[i];
  }
  return total;
}

ir::ValueId JoinAlong(op::Builder& b, llvm::ArrayRef<ir::ValueId> parts, int64_t dim) {
  return parts.size() == 1 ? parts[0] : b.Add1(ir::OpKind::Concatenate, parts, b.Attrs(ConcatenateAttrs{dim}));
}

ir::ValueId EmitRing(op::LocalizeContext& cx, const RangesMoves& moves, const Ring& ring) {
  op::Builder& b = cx.builder();
  int64_t dim = cx.attrs<TakeRangesAttrs>().dim, count = mesh::Product(moves.axes());
  llvm::SmallVector<ir::ValueId, 4> parts;
  for (const RingPart& part : ring) {
    parts.push_back(EmitStaticSlice(b, cx.operands()[0], dim, part.offset, part.offset + part.length));
    if (part.distance == 0) {
      continue;
    }
    PermuteAttrs attrs;
    attrs.mesh = cx.operand_sharding(0).mesh;
    attrs.from = moves.axes();
    for (int64_t source = 0; source < count; ++source) {
      attrs.pairs.push_back({source, (source - part.distance + count) % count});
    }
    attrs.channel = cx.NextChannel();
    parts.back() = b.Add1(ir::OpKind::CollectivePermute, {parts.back()}, b.Attrs(std::move(attrs)));
  }
  return JoinAlong(b, parts, dim);
}

// Whole dims are cut and joined as the slices would have been; of split ones each range is laid out as the result's block
// sees it.
bool LocalizeTakeRanges(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  const auto& attrs = cx.attrs<TakeRangesAttrs>();
  ir::ValueId x = cx.operands()[0], joined;
  RangesMoves moves(cx.sharded());
  if (!moves.IsSplit()) {
    llvm::SmallVector<ir::ValueId, 4> parts;
    for (size_t i = 0; i < attrs.starts.size(); ++i) {
      parts.push_back(EmitStaticSlice(b, x, attrs.dim, attrs.starts[i], attrs.limits[i]));
    }
    cx.Results({JoinAlong(b, parts, attrs.dim)});
    return true;
  }
  if (std::optional<Ring> ring = moves.AsRing()) {
    cx.Results({EmitRing(cx, moves, *ring)});
    return true;
  }
  mesh::MeshId mesh = cx.operand_sharding(0).mesh;
  int64_t offset = 0;
  for (size_t i = 0; i < attrs.starts.size(); ++i) {
    if (attrs.starts[i] == attrs.limits[i]) {
      continue;
    }
    DimExchange exchange = moves.RangeExchange(i, offset);
    ir::ValueId part = EmitExchange(cx, x, mesh, exchange);
    llvm::SmallVector<int64_t, 8> begins;
    for (int64_t start : exchange.need.starts) {
      begins.push_back(attrs.starts[i] - start);
    }
    joined = joined.valid() ? EmitJoin(cx, mesh, exchange, joined, part, begins) : part;
    offset += attrs.limits[i] - attrs.starts[i];
  }
  cx.Results({joined});
  return true;
}

bool EvalTakeRanges(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<TakeRangesAttrs>();
  tensor::Literal x = cx.operand(0).Materialize();
  tensor::Literal result = tensor::Literal::Unwritten(x.dtype(), cx.result_type().dims);
  auto dim = static_cast<size_t>(attrs.dim);
  tensor::Dims from(x.dims().size(), 0), to = from, size(x.dims().begin(), x.dims().end());
  for (size_t i = 0; i < attrs.starts.size(); ++i) {
    from[dim] = attrs.starts[i];
    size[dim] = attrs.limits[i] - attrs.starts[i];
    CopyBox(x, from, result, to, size);
    to[dim] += size[dim];
  }
  cx.results.push_back(std::move(result));
  return true;
}

}  // namespace

const op::OpDef kTakeRanges = {
    .kind = ir::OpKind::TakeRanges,
    .dialect = "",
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<TakeRangesAttrs>,
    .linear = op::Linear::Unary,
    .flops = 0,
    .infer = InferTakeRanges,
    .rule = RuleTakeRanges,
    .localize = LocalizeTakeRanges,
    .exchange = ExchangeTakeRanges,
    .eval = EvalTakeRanges,
};

}  // namespace spmdc::ops
