// Follows slices and what joins them back to the value they are of. `roll` is written as concatenate(x[15:], x[:15]), as a slice
// of concatenate(x, x), and as x.at[1:].set(x[:-1]).at[0].set(x[-1]).
#include "ops/ranges_of.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "ops/constant.h"
#include "ops/gather.h"
#include "ops/shape.h"
#include "ops/slice.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

// Elements [starts[i], limits[i]) of a value along a dim, one range behind the other.
struct Ranges {
  ir::ValueId whole;
  tensor::Dims starts, limits;
};

// A part of a value that is all of it in every dim but one.
struct Window {
  size_t dim = 0;
  int64_t start = 0, size = 0;
};

class RangesFinder {
 public:
  RangesFinder(const ir::Module& module, const ir::Function& f) : module_(module), f_(f) {}

  // What v is along a dim; at most `joins` ops that join are looked through.
  std::optional<Ranges> Of(ir::ValueId v, size_t dim, int joins) const {
    v = Undressed(v);
    const ir::Inst* inst = Def(v);
    std::optional<Ranges> found = inst != nullptr ? OfInst(*inst, dim, joins) : std::nullopt;
    found = found ? found : OfRepeated(v, dim, joins);
    return found ? found : Ranges{v, {0}, {dims(v)[dim]}};
  }

  std::optional<Ranges> OfInst(const ir::Inst& inst, size_t dim, int joins) const {
    switch (inst.op) {
      case OpKind::Slice:
      case OpKind::DynamicSlice: {
        std::optional<Window> window = WindowOf(inst);
        std::optional<Ranges> from = window && window->dim == dim ? Of(f_.operands(inst)[0], dim, joins) : std::nullopt;
        return from ? std::optional(Cut(*from, window->start, window->start + window->size)) : std::nullopt;
      }
      case OpKind::Concatenate:
        return joins > 0 && module_.attrs<ConcatenateAttrs>(inst).dim == static_cast<int64_t>(dim)
                   ? Joined(inst, dim, joins - 1)
                   : std::nullopt;
      case OpKind::DynamicUpdateSlice:
      case OpKind::Scatter:
        return joins > 0 ? Updated(inst, dim, joins - 1) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // The dim along which an instruction cuts or joins.
  std::optional<size_t> DimOf(const ir::Inst& inst) const {
    if (inst.op == OpKind::Concatenate) {
      return static_cast<size_t>(module_.attrs<ConcatenateAttrs>(inst).dim);
    }
    std::optional<Window> window = WindowOf(inst);
    return window ? std::optional(window->dim) : std::nullopt;
  }

 private:
  const tensor::Dims& dims(ir::ValueId v) const { return module_.type(f_, v).dims; }
  const ir::Inst* Def(ir::ValueId v) const {
    ir::InstId def = f_.values[v].def;
    return def.valid() ? &f_.insts[def] : nullptr;
  }

  // The first of the values that v is, with dims of one element put in and taken out again on the way.
  ir::ValueId Undressed(ir::ValueId v) const {
    const tensor::Dims& wanted = dims(v);
    ir::ValueId first = v;
    for (const ir::Inst* inst = Def(v); inst != nullptr; inst = Def(v)) {
      if (inst->op != OpKind::Reshape && inst->op != OpKind::BroadcastInDim) {
        break;
      }
      ir::ValueId from = f_.operands(*inst)[0];
      bool in_order =
          inst->op == OpKind::Reshape || llvm::is_sorted(module_.attrs<BroadcastInDimAttrs>(*inst).broadcast_dims);
      if (!in_order || module_.type(f_, from).num_elements() != module_.type(f_, v).num_elements()) {
        break;
      }
      v = from;
      first = dims(v) == wanted ? v : first;
    }
    return first;
  }

  // A row said several times, as jnp.pad says what is at the edge: a broadcast that puts a dim beside the row's.
  std::optional<Ranges> OfRepeated(ir::ValueId v, size_t dim, int joins) const {
    constexpr int64_t kMostTimes = 8;
    const ir::Inst* inst = Def(v);
    inst = inst != nullptr && inst->op == OpKind::Reshape ? Def(f_.operands(*inst)[0]) : inst;
    if (inst == nullptr || inst->op != OpKind::BroadcastInDim) {
      return std::nullopt;
    }
    ir::ValueId row = f_.operands(*inst)[0];
    tensor::Dims repeated = dims(row);
    int64_t times = dims(v)[dim];
    if (repeated.size() != dims(v).size() || repeated[dim] != 1 || times > kMostTimes) {
      return std::nullopt;
    }
    repeated[dim] = times;
    const tensor::Dims& places = module_.attrs<BroadcastInDimAttrs>(*inst).broadcast_dims;
    if (repeated != dims(v) || !AreBesideRow(places, dims(f_.result(*inst)), dims(row), dim)) {
      return std::nullopt;
    }
    std::optional<Ranges> one = Of(row, dim, joins);
    Ranges ranges{one->whole, {}, {}};
    for (int64_t i = 0; i < times; ++i) {
      Append(ranges, *one);
    }
    return ranges;
  }

  // Whether what a broadcast adds stands where the row's dim is: behind the dims in front of it, before those behind it.
  static bool AreBesideRow(llvm::ArrayRef<int64_t> places, llvm::ArrayRef<int64_t> out, llvm::ArrayRef<int64_t> row,
                           size_t dim) {
    size_t d = 0;
    for (size_t at = 0; at < out.size(); ++at) {
      bool of_row = d < places.size() && places[d] == static_cast<int64_t>(at);
      bool fits = of_row ? d == dim || out[at] == row[d] : out[at] == 1 || d == dim || d == dim + 1;
      if (!fits) {
        return false;
      }
      d += of_row ? 1 : 0;
    }
    return d == places.size();
  }

  static Ranges Cut(const Ranges& from, int64_t start, int64_t limit) {
    Ranges out{from.whole, {}, {}};
    int64_t at = 0;
    for (size_t i = 0; i < from.starts.size(); ++i) {
      int64_t size = from.limits[i] - from.starts[i];
      int64_t low = std::max(start, at), high = std::min(limit, at + size);
      if (low < high) {
        Append(out, from.starts[i] + low - at, from.starts[i] + high - at);
      }
      at += size;
    }
    return out;
  }

  static void Append(Ranges& ranges, int64_t start, int64_t limit) {
    if (!ranges.limits.empty() && ranges.limits.back() == start) {
      ranges.limits.back() = limit;
    } else {
      ranges.starts.push_back(start);
      ranges.limits.push_back(limit);
    }
  }
  // False if they are of different values.
  static bool Append(Ranges& ranges, const Ranges& more) {
    for (size_t i = 0; i < more.starts.size(); ++i) {
      Append(ranges, more.starts[i], more.limits[i]);
    }
    bool same = !ranges.whole.valid() || ranges.whole == more.whole;
    ranges.whole = more.whole;
    return same;
  }

  std::optional<Ranges> Joined(const ir::Inst& inst, size_t dim, int joins) const {
    Ranges ranges;
    for (ir::ValueId operand : f_.operands(inst)) {
      std::optional<Ranges> part = Of(operand, dim, joins);
      if (!part || !Append(ranges, *part)) {
        return std::nullopt;
      }
    }
    return ranges;
  }

  // What is before the window, what is put into it, what is behind it.
  std::optional<Ranges> Updated(const ir::Inst& inst, size_t dim, int joins) const {
    std::optional<Window> window = WindowOf(inst);
    if (!window || window->dim != dim) {
      return std::nullopt;
    }
    llvm::ArrayRef<ir::ValueId> operands = f_.operands(inst);
    std::optional<Ranges> into = Of(operands[0], dim, joins);
    std::optional<Ranges> part = Of(operands[inst.op == OpKind::Scatter ? 2 : 1], dim, joins);
    if (!into || !part || into->whole != part->whole) {
      return std::nullopt;
    }
    Ranges ranges = Cut(*into, 0, window->start);
    Append(ranges, *part);
    Append(ranges, Cut(*into, window->start + window->size, dims(operands[0])[dim]));
    return ranges;
  }

  std::optional<Window> WindowOf(const ir::Inst& inst) const {
    llvm::ArrayRef<ir::ValueId> operands = f_.operands(inst);
    switch (inst.op) {
      case OpKind::Slice: {
        const auto& slice = module_.attrs<SliceAttrs>(inst);
        bool every = llvm::all_of(slice.strides, [](int64_t stride) { return stride == 1; });
        return every ? WindowAt(operands[0], slice.starts, dims(f_.result(inst))) : std::nullopt;
      }
      case OpKind::DynamicSlice:
        return WindowAtStarts(operands[0], operands.drop_front(), dims(f_.result(inst)));
      case OpKind::DynamicUpdateSlice:
        return WindowAtStarts(operands[0], operands.drop_front(2), dims(operands[1]));
      case OpKind::Scatter:
        return WindowOfScatter(inst);
      default:
        return std::nullopt;
    }
  }

  // None if more than one dim is cut, or a start is not within.
  std::optional<Window> WindowAt(ir::ValueId v, llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes) const {
    std::optional<Window> window;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == dims(v)[d] && starts[d] == 0) {
        continue;
      }
      if (window || starts[d] < 0 || starts[d] + sizes[d] > dims(v)[d]) {
        return std::nullopt;
      }
      window = Window{d, starts[d], sizes[d]};
    }
    return window;
  }

  // Starts that are too large or too small are moved within.
  std::optional<Window> WindowAtStarts(ir::ValueId v, llvm::ArrayRef<ir::ValueId> starts,
                                       llvm::ArrayRef<int64_t> sizes) const {
    tensor::Dims at;
    for (size_t d = 0; d < starts.size(); ++d) {
      std::optional<int64_t> start = ConstantAt(starts[d], 0);
      if (!start && sizes[d] != dims(v)[d]) {
        return std::nullopt;
      }
      at.push_back(std::clamp<int64_t>(start.value_or(0), 0, dims(v)[d] - sizes[d]));
    }
    return WindowAt(v, at, sizes);
  }

  // A scatter that puts one whole block at a place that is known.
  std::optional<Window> WindowOfScatter(const ir::Inst& inst) const {
    const auto& attrs = module_.attrs<ScatterAttrs>(inst);
    const ir::Function& body = module_.functions[f_.bodies(inst)[0]];
    llvm::ArrayRef<ir::ValueId> operands = f_.operands(inst);
    bool replaces = operands.size() == 3 && body.insts.empty() && body.results[0] == body.args.back();
    if (!replaces || !attrs.inserted_window_dims.empty() || !attrs.input_batching_dims.empty() ||
        dims(operands[1]).size() != 1 || attrs.index_vector_dim != 0) {
      return std::nullopt;
    }
    tensor::Dims starts(dims(operands[0]).size(), 0);
    for (size_t i = 0; i < attrs.scatter_dims_to_operand_dims.size(); ++i) {
      std::optional<int64_t> start = ConstantAt(operands[1], static_cast<int64_t>(i));
      if (!start) {
        return std::nullopt;
      }
      starts[static_cast<size_t>(attrs.scatter_dims_to_operand_dims[i])] = *start;
    }
    return WindowAt(operands[0], starts, dims(operands[2]));
  }

  // Element i of a list or scalar of integers that are known.
  std::optional<int64_t> ConstantAt(ir::ValueId v, int64_t i) const {
    const ir::Inst* inst = Def(v);
    while (inst != nullptr && (inst->op == OpKind::Reshape || inst->op == OpKind::BroadcastInDim)) {
      ir::ValueId from = f_.operands(*inst)[0];
      if (module_.type(f_, from).num_elements() == 1) {
        i = 0;
      } else if (dims(from).size() != 1 || dims(v).size() != 1) {
        return std::nullopt;
      }
      v = from;
      inst = Def(v);
    }
    if (inst == nullptr || inst->op != OpKind::Constant || dims(v).size() > 1) {
      return std::nullopt;
    }
    const tensor::Literal& literal = module_.attrs<ConstantAttrs>(*inst).value;
    bool known = !literal.is_unknown() && tensor::IsInteger(literal.dtype()) && i < literal.size();
    return known ? std::optional(literal.GetInt(i)) : std::nullopt;
  }

  const ir::Module& module_;
  const ir::Function& f_;
};

}  // namespace

std::optional<op::Merged> MergeRanges(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  RangesFinder finder(module, f);
  std::optional<size_t> dim = finder.DimOf(inst);
  std::optional<Ranges> ranges = dim ? finder.OfInst(inst, *dim, /*joins=*/1) : std::nullopt;
  // A slice of one range is a slice.
  bool joins = inst.op != OpKind::DynamicSlice;
  if (!ranges || ranges->starts.size() < (joins ? 1U : 2U)) {
    return std::nullopt;
  }
  mesh::ShardingId sharding = f.values[ranges->whole].sharding;
  bool is_split = sharding.valid() && !module.tables->shardings[sharding].dims[*dim].axes.empty();
  bool is_smaller = module.type(f, f.result(inst)).dims[*dim] < module.type(f, ranges->whole).dims[*dim];
  if (!is_split || is_smaller) {
    return std::nullopt;
  }
  TakeRangesAttrs attrs{static_cast<int64_t>(*dim), std::move(ranges->starts), std::move(ranges->limits)};
  return op::Merged{OpKind::TakeRanges, module.tables->attrs.Add(std::move(attrs)), {ranges->whole}, {}};
}

}  // namespace spmdc::ops
