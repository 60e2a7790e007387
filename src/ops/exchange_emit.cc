// The instructions of an exchange: permutes of strips, put together where they belong.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "ops/collective.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/exchange.h"
#include "ops/gather.h"
#include "ops/slice.h"
#include "support/all_equal.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

class Emitter {
 public:
  Emitter(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange)
      : cx_(cx), b_(cx.builder()), x_(x), mesh_(mesh), e_(exchange), plan_(PlanExchange(e_.from, e_.need)) {}

  ir::ValueId Run() {
    if (e_.from.block == 0 || e_.need.length == 0) {
      return Zeros(e_.need.length);
    }
    switch (plan_.way) {
      case ExchangePlan::Way::Shift:
        return Shift();
      case ExchangePlan::Way::Permute:
        return Permute();
      case ExchangePlan::Way::Gather:
        return Gather();
    }
    return {};
  }

 private:
  ir::ValueId Zeros(int64_t length) {
    tensor::Dims dims = b_.type(x_).dims;
    dims[static_cast<size_t>(e_.dim)] = length;
    return EmitBroadcast(b_, EmitConstant(b_, tensor::Literal(b_.type(x_).dtype, {})), dims);
  }

  ir::ValueId PerDevice(llvm::ArrayRef<int64_t> values) {
    int64_t largest = 0;
    for (int64_t v : values) {
      largest = std::max(largest, std::abs(v));
    }
    return EmitPerDevice(cx_, mesh_, e_.axes, values, IndexType(largest));
  }

  // `length` elements of a value from starts[k].
  ir::ValueId Cut(ir::ValueId x, llvm::ArrayRef<int64_t> starts, int64_t length) {
    if (AllEqual(starts)) {
      return EmitStaticSlice(b_, x, e_.dim, starts[0], starts[0] + length);
    }
    return EmitDynamicSlice(b_, x, e_.dim, PerDevice(starts), length);
  }

  ir::ValueId Send(const Strip& strip) {
    PermuteAttrs attrs;
    attrs.mesh = mesh_;
    attrs.from = e_.axes;
    for (const auto& [source, target] : strip.pairs) {
      attrs.pairs.push_back({source, target});
    }
    attrs.channel = cx_.NextChannel();
    return b_.Add1(OpKind::CollectivePermute, {Cut(x_, strip.offsets, strip.length)}, b_.Attrs(std::move(attrs)));
  }

  // Strips, the own block's part and gaps that nobody fills, side by side.
  ir::ValueId Shift() {
    int64_t t = e_.from.block, first = e_.need.starts[0], end = first + e_.need.length;
    llvm::SmallVector<std::pair<int64_t, ir::ValueId>, 4> parts;
    int64_t own_begin = std::max<int64_t>(first, 0), own_end = std::min(end, t);
    if (own_begin < own_end) {
      parts.emplace_back(own_begin - first, EmitStaticSlice(b_, x_, e_.dim, own_begin, own_end));
    }
    for (const Strip& strip : plan_.strips) {
      parts.emplace_back(strip.places[0], Send(strip));
    }
    llvm::sort(parts, [](const auto& a, const auto& b) { return a.first < b.first; });
    llvm::SmallVector<ir::ValueId, 4> joined;
    int64_t at = 0;
    auto fill_to = [&](int64_t place) {
      if (place > at) {
        joined.push_back(Zeros(place - at));
      }
    };
    for (const auto& [place, part] : parts) {
      fill_to(place);
      joined.push_back(part);
      at = place + b_.type(part).dims[static_cast<size_t>(e_.dim)];
    }
    fill_to(e_.need.length);
    return joined.size() == 1 ? joined[0] : b_.Add1(OpKind::Concatenate, joined, b_.Attrs(ConcatenateAttrs{e_.dim}));
  }

  using Part = std::pair<ir::ValueId, llvm::SmallVector<int64_t, 8>>;  // with its places

  // As much of the own block as the device that needs most of its own has in it; nothing if nobody needs any.
  std::optional<Part> OwnPart() {
    int64_t t = e_.from.block, most = 0;
    llvm::SmallVector<int64_t, 8> offsets, places;
    for (size_t k = 0; k < e_.need.starts.size(); ++k) {
      int64_t block = static_cast<int64_t>(k) * t, start = e_.need.starts[k];
      int64_t begin = std::max({start, block, e_.need.begin});
      int64_t stop = e_.need.ends.empty() ? start + e_.need.length : e_.need.ends[k];
      int64_t length = std::min({stop, block + t, e_.need.end, e_.from.size}) - begin;
      most = std::max(most, length);
      offsets.push_back(length > 0 ? begin - block : 0);
      places.push_back(length > 0 ? begin - start : kNowhere);
    }
    if (most == 0) {
      return std::nullopt;
    }
    for (size_t k = 0; k < offsets.size(); ++k) {
      int64_t too_far = std::max<int64_t>(0, offsets[k] - (t - most));
      offsets[k] -= too_far;
      places[k] -= places[k] == kNowhere ? 0 : too_far;
    }
    return Part{Cut(x_, offsets, most), places};
  }

  // Everything is written into a buffer with room on both sides for what a strip has too much, and at the end for strips
  // that go nowhere.
  ir::ValueId Permute() {
    llvm::SmallVector<Part, 4> parts;
    if (std::optional<Part> own = OwnPart()) {
      parts.push_back(std::move(*own));
    }
    for (const Strip& strip : plan_.strips) {
      parts.emplace_back(Send(strip), strip.places);
    }
    int64_t length = e_.need.length;
    if (parts.size() == 1 && llvm::all_of(parts[0].second, [](int64_t p) { return p == 0 || p == kNowhere; }) &&
        b_.type(parts[0].first).dims[static_cast<size_t>(e_.dim)] == length) {
      return parts[0].first;
    }
    int64_t room = 0;
    for (const auto& [part, places] : parts) {
      room = std::max(room, b_.type(part).dims[static_cast<size_t>(e_.dim)]);
    }
    ir::ValueId buffer = Zeros(length + 2 * room);
    for (auto& [part, places] : parts) {
      for (int64_t& place : places) {
        place = place == kNowhere ? length + room : place + room;
      }
      buffer = EmitUpdateSlice(b_, buffer, part, e_.dim, PerDevice(places));
    }
    return EmitStaticSlice(b_, buffer, e_.dim, room, room + length);
  }

  ir::ValueId Gather() {
    CollectiveAttrs attrs;
    attrs.groups.mesh = mesh_;
    attrs.groups.axes = e_.axes;
    attrs.dim = e_.dim;
    attrs.channel = cx_.NextChannel();
    ir::ValueId whole = b_.Add1(OpKind::AllGather, {x_}, b_.Attrs(std::move(attrs)));
    // Starts outside of the array are moved to where one more length of nothing is.
    int64_t size = e_.from.count * e_.from.block, low = 0, high = 0;
    llvm::SmallVector<int64_t, 8> starts;
    for (int64_t start : e_.need.starts) {
      starts.push_back(std::clamp(start, -e_.need.length, size));
      low = std::max(low, -starts.back());
      high = std::max(high, starts.back() + e_.need.length - size);
    }
    for (int64_t& start : starts) {
      start += low;
    }
    ir::ValueId padded = low == 0 && high == 0 ? whole : EmitPadZeros(b_, whole, e_.dim, low, high);
    return Cut(padded, starts, e_.need.length);
  }

  op::LocalizeContext& cx_;
  op::Builder& b_;
  ir::ValueId x_;
  mesh::MeshId mesh_;
  const DimExchange& e_;
  ExchangePlan plan_;
};

// The step if values go up (or down) evenly.
std::optional<int64_t> EvenStep(llvm::ArrayRef<int64_t> values) {
  int64_t step = values.size() < 2 ? 0 : values[1] - values[0];
  for (size_t k = 1; k < values.size(); ++k) {
    if (values[k] - values[k - 1] != step) {
      return std::nullopt;
    }
  }
  return step;
}

}  // namespace

ir::ValueId EmitExchange(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange) {
  return Emitter(cx, x, mesh, exchange).Run();
}

ir::ValueId EmitPerDevice(op::LocalizeContext& cx, mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes,
                          llvm::ArrayRef<int64_t> values, tensor::DType dtype) {
  op::Builder& b = cx.builder();
  if (AllEqual(values)) {
    return EmitScalar(b, dtype, values[0]);
  }
  ir::ValueId index = cx.ShardIndex(mesh, axes, dtype);
  if (std::optional<int64_t> step = EvenStep(values)) {
    return EmitAddConstant(b, EmitMultiplyConstant(b, index, *step), values[0]);
  }
  llvm::SmallVector<int64_t, 0> entries(values.begin(), values.end());
  ir::ValueId table =
      EmitConstant(b, tensor::Literal::Integers(dtype, {static_cast<int64_t>(entries.size())}, entries));
  return EmitReshape(b, EmitDynamicSlice(b, table, 0, index, 1), {});
}

ir::ValueId EmitDilated(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& e,
                        ir::ValueId fill, int64_t first, int64_t stride, int64_t length, int64_t step) {
  op::Builder& b = cx.builder();
  ir::ValueId elements = EmitFillOutside(cx, EmitExchange(cx, x, mesh, e), mesh, e, fill);
  if (step == 1) {
    return elements;
  }
  // How far in front of its first element each device's stretch begins: at most step - 1 places.
  llvm::SmallVector<int64_t, 8> starts;
  for (size_t k = 0; k < e.need.starts.size(); ++k) {
    int64_t gap = e.need.starts[k] * step - (first + static_cast<int64_t>(k) * stride);
    starts.push_back(step - 1 - gap);
  }
  auto d = static_cast<size_t>(e.dim);
  size_t rank = b.type(x).rank();
  PadAttrs attrs{tensor::Dims(rank, 0), tensor::Dims(rank, 0), tensor::Dims(rank, 0)};
  int64_t spread = e.need.length == 0 ? 0 : (e.need.length - 1) * step + 1;
  attrs.low[d] = step - 1;
  attrs.high[d] = std::max<int64_t>(0, length - spread);
  attrs.interior[d] = step - 1;
  ir::ValueId laid_out = b.Add1(OpKind::Pad, {elements, fill}, b.Attrs(std::move(attrs)));
  if (AllEqual(starts)) {
    return EmitStaticSlice(b, laid_out, e.dim, starts[0], starts[0] + length);
  }
  return EmitDynamicSlice(b, laid_out, e.dim, EmitPerDevice(cx, mesh, e.axes, starts, tensor::DType::S32), length);
}

ir::ValueId EmitFillOutside(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& e,
                            ir::ValueId fill) {
  op::Builder& b = cx.builder();
  bool in_front = llvm::any_of(e.need.starts, [](int64_t start) { return start < 0; });
  bool behind = llvm::any_of(e.need.starts, [&](int64_t start) { return start + e.need.length > e.from.size; });
  if (!in_front && !behind) {
    return x;
  }
  ir::Type type = b.type(x);
  // Positions of this device's first and last existing elements, counted from its own start.
  llvm::SmallVector<int64_t, 8> firsts, ends;
  int64_t largest = e.need.length;
  for (int64_t start : e.need.starts) {
    firsts.push_back(-start);
    ends.push_back(e.from.size - start);
    largest = std::max({largest, std::abs(start), std::abs(e.from.size - start)});
  }
  tensor::DType dtype = IndexType(largest);
  ir::ValueId position = EmitIota(b, dtype, type.dims, e.dim);
  ir::ValueId exists;
  auto add = [&](Direction direction, llvm::ArrayRef<int64_t> bounds) {
    ir::ValueId bound = EmitBroadcast(b, EmitPerDevice(cx, mesh, e.axes, bounds, dtype), type.dims);
    ir::ValueId test = EmitCompare(b, direction, position, bound);
    exists = exists.valid() ? b.Add1(OpKind::And, {exists, test}) : test;
  };
  if (in_front) {
    add(Direction::Ge, firsts);
  }
  if (behind) {
    add(Direction::Lt, ends);
  }
  return b.Add1(OpKind::Select, {exists, x, EmitBroadcast(b, fill, type.dims)});
}

ir::ValueId EmitJoin(op::LocalizeContext& cx, mesh::MeshId mesh, const DimExchange& e, ir::ValueId earlier,
                     ir::ValueId later, llvm::ArrayRef<int64_t> begins) {
  op::Builder& b = cx.builder();
  tensor::Dims dims = b.type(later).dims;
  int64_t largest = e.need.length;
  for (int64_t begin : begins) {
    largest = std::max(largest, std::abs(begin));
  }
  tensor::DType dtype = IndexType(largest);
  ir::ValueId position = EmitIota(b, dtype, dims, e.dim);
  ir::ValueId begin = EmitBroadcast(b, EmitPerDevice(cx, mesh, e.axes, begins, dtype), dims);
  return b.Add1(OpKind::Select, {EmitCompare(b, Direction::Lt, position, begin), earlier, later});
}

}  // namespace spmdc::ops
