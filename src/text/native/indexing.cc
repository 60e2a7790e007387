// x[...]: slices, integers, None and `...` become slice, reverse and reshape; integer arrays become gather.
#include "llvm/ADT/STLExtras.h"
#include "ops/gather.h"
#include "ops/slice.h"
#include "text/native/at_update.h"
#include "text/native/evaluator.h"
#include "text/native/index_masks.h"
#include "text/native/numpy.h"
#include "text/native/python_methods.h"
#include "text/native/traced_calls.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;

struct Index {
  std::vector<Value> parts;  // one per dim or None, without `...`
  bool arrays = false;       // integer arrays or traced scalars occur
};

bool IsScalarStatic(const Value& v) {
  return v.is(VK::Int) || (v.is(VK::NdArray) && v.as<NdArrayObj>().dims().empty());
}

// The index spelled out: a slice for every dim that is not mentioned.
bool Expand(Evaluator& ev, const ir::Type& type, const Value& index, Index& out) {
  std::vector<Value> parts = index.is(VK::Tuple) ? Items(index) : std::vector<Value>{index};
  if (!SpellMasks(ev, type, parts)) {
    return false;
  }
  size_t consumed = 0, dots = 0;
  for (Value& p : parts) {
    if (p.is_sequence() && index.is(VK::Tuple)) {
      // A list inside an index tuple is an array; JAX refuses it at the top.
      std::optional<tensor::Literal> literal = ToLiteral(ev, p, std::nullopt);
      if (!literal) {
        return false;
      }
      p = ev.heap().Array(std::move(*literal));
    }
    if (p.is(VK::List)) {
      return !ev.TypeError("using a list to index an array is not supported; use a tuple or jnp.array").failed();
    }
    bool boolean = p.is(VK::Bool) || (p.is(VK::Array) && TypeOfArray(p).dtype == tensor::DType::Pred) ||
                   (p.is(VK::NdArray) && p.as<NdArrayObj>().value().dtype() == tensor::DType::Pred);
    if (boolean) {
      return !ev.Fail(diag::Kind::StaticInt,
                      "boolean indices must be known while the file is read, since the result's shape depends on them",
                      "use where")
                  .failed();
    }
    bool known = p.is(VK::None) || p.is(VK::Ellipsis) || p.is(VK::Slice) || p.is(VK::Array) || p.is(VK::NdArray) ||
                 p.is(VK::Int);
    if (!known) {
      return !ev.TypeError("an index must be an integer, a slice, None, ... or an array of integers, not " +
                           TypeName(p))
                  .failed();
    }
    bool floating = (p.is(VK::Array) && !tensor::IsInteger(TypeOfArray(p).dtype)) ||
                    (p.is(VK::NdArray) && !tensor::IsInteger(p.as<NdArrayObj>().value().dtype()));
    if (floating) {
      return !ev.TypeError("an indexer must have integer or boolean type").failed();
    }
    dots += p.is(VK::Ellipsis) ? 1 : 0;
    consumed += p.is(VK::None) || p.is(VK::Ellipsis) ? 0 : 1;
  }
  if (consumed > type.rank() || dots > 1) {
    return !ev.Fail(diag::Kind::AxisRange, dots > 1
                                               ? "an index can have only one ..."
                                               : "too many indices for array: array is " + std::to_string(type.rank()) +
                                                     "-dimensional, but " + std::to_string(consumed) + " were indexed")
                .failed();
  }
  if (dots == 0) {
    parts.push_back(Value::Of(VK::Ellipsis));
  }
  for (const Value& p : parts) {
    if (p.is(VK::Ellipsis)) {
      for (size_t i = consumed; i < type.rank(); ++i) {
        auto* all = ev.heap().New<SliceObj>();
        all->start = all->stop = all->step = Value::None();
        out.parts.push_back(Value::Object(VK::Slice, all));
      }
      continue;
    }
    out.arrays |= p.is(VK::Array) || (p.is(VK::NdArray) && !IsScalarStatic(p));
    out.parts.push_back(p);
  }
  return true;
}

// Slices, static integers and None.
Value BasicIndex(Evaluator& ev, Value x, const Index& index) {
  const ir::Type type = TypeOfArray(x);
  ops::SliceAttrs slice;
  ops::ReverseAttrs reverse;
  tensor::Dims shape;
  bool trivial = true, reshapes = false;
  size_t d = 0;
  for (const Value& p : index.parts) {
    if (p.is(VK::None)) {
      shape.push_back(1);
      reshapes = true;
      continue;
    }
    int64_t size = type.dims[d];
    if (p.is(VK::Slice)) {
      std::optional<SliceRange> r = ResolveSlice(ev, p.as<SliceObj>(), size);
      if (!r) {
        return Value::Error();
      }
      if (r->step < 0) {
        reverse.dims.push_back(static_cast<int64_t>(d));
        int64_t last = r->count == 0 ? r->start : r->start + (r->count - 1) * r->step;
        slice.starts.push_back(r->count == 0 ? 0 : last);
        slice.limits.push_back(r->count == 0 ? 0 : r->start + 1);
        slice.strides.push_back(-r->step);
      } else {
        slice.starts.push_back(r->count == 0 ? 0 : r->start);
        slice.limits.push_back(r->count == 0 ? 0 : r->start + (r->count - 1) * r->step + 1);
        slice.strides.push_back(r->count <= 1 ? 1 : r->step);
      }
      trivial &= r->count == size;
      shape.push_back(r->count);
    } else {
      std::optional<int64_t> i = ev.ToInt(p, "an index");
      if (!i) {
        return Value::Error();
      }
      int64_t at = *i < 0 ? *i + size : *i;
      if (size == 0 || *i >= size || at < 0) {
        // JAX clamps; a static index outside is surely a mistake, and numpy refuses it.
        at = std::min(std::max<int64_t>(at, 0), size - 1);
      }
      slice.starts.push_back(at);
      slice.limits.push_back(at + 1);
      slice.strides.push_back(1);
      trivial &= size == 1;
      reshapes = true;
    }
    ++d;
  }
  bool weak = x.as<ArrayObj>().weak;
  if (!trivial) {
    x = ev.tracer().Emit(OpKind::Slice, x, ev.tracer().Attrs(std::move(slice)), weak);
  }
  if (!reverse.dims.empty() && !x.failed()) {
    x = ev.tracer().Emit(OpKind::Reverse, x, ev.tracer().Attrs(std::move(reverse)), weak);
  }
  return reshapes ? Reshape(ev, x, shape) : x;
}

// What a gather or a scatter of an index needs: numpy's rules for mixed indices.
struct GatherPlan {
  Value indices;  // s32[batch..., n]
  ops::GatherAttrs attrs;
  tensor::Dims reversed_dims;  // of the gathered result
  tensor::Dims shape;          // with None's dims of size 1
  bool reshapes = false;
};

bool PlanGather(Evaluator& ev, const ir::Type& type, const Index& index, GatherPlan& plan) {
  // The arrays, broadcast against one another.
  std::vector<Value> arrays;
  std::vector<size_t> array_dims;
  bool split = false, seen = false, gap = false;
  size_t first_array = 0, d = 0, result_dims = 0;
  for (const Value& p : index.parts) {
    bool is_array = !p.is(VK::None) && !p.is(VK::Slice);
    if (is_array) {
      first_array = seen ? first_array : result_dims;
      split |= seen && gap;
      seen = true;
      Value i = NormalizedIndex(ev, p, type.dims[d]);
      if (i.failed()) {
        return false;
      }
      arrays.push_back(i);
      array_dims.push_back(d);
    } else {
      gap = seen;
      ++result_dims;
    }
    d += p.is(VK::None) ? 0 : 1;
  }
  if (!BroadcastAll(ev, "indexing", arrays)) {
    return false;
  }
  tensor::Dims batch = TypeOfArray(arrays[0]).dims;
  size_t at = split ? 0 : first_array;
  // Starts of slices with a static range are part of the start indices too.
  std::vector<Value> starts = arrays;
  plan.attrs.slice_sizes = type.dims;
  for (size_t i : array_dims) {
    plan.attrs.collapsed_slice_dims.push_back(static_cast<int64_t>(i));
    plan.attrs.start_index_map.push_back(static_cast<int64_t>(i));
    plan.attrs.slice_sizes[i] = 1;
  }
  tensor::Dims offsets;
  d = 0;
  std::vector<std::pair<int64_t, bool>> windows;  // size, is None
  for (const Value& p : index.parts) {
    if (p.is(VK::None)) {
      windows.push_back({1, true});
      plan.reshapes = true;
      continue;
    }
    if (p.is(VK::Slice)) {
      windows.push_back({type.dims[d], false});
    }
    ++d;
  }
  size_t out = 0;
  for (size_t w = 0; w <= windows.size(); ++w) {
    if (w == at) {
      for (int64_t b : batch) {
        plan.shape.push_back(b);
        ++out;
      }
    }
    if (w < windows.size()) {
      plan.shape.push_back(windows[w].first);
      if (!windows[w].second) {
        offsets.push_back(static_cast<int64_t>(out));
        ++out;
      }
    }
  }
  plan.attrs.offset_dims = offsets;
  plan.attrs.index_vector_dim = static_cast<int64_t>(batch.size());
  tensor::Dims column = batch;
  column.push_back(1);
  tensor::Dims broadcast_dims;
  for (size_t i = 0; i < batch.size(); ++i) {
    broadcast_dims.push_back(static_cast<int64_t>(i));
  }
  for (Value& s : starts) {
    s = BroadcastInDim(ev, s, column, broadcast_dims);
    if (s.failed()) {
      return false;
    }
  }
  plan.indices = starts.size() == 1
                     ? starts[0]
                     : ev.CallFunction(ev.FindIn(kJnp, "concatenate"),
                                       {ev.heap().List(starts), Value::Int(static_cast<int64_t>(batch.size()))});
  return !plan.indices.failed();
}

bool IsFullSlice(Evaluator& ev, const Value& p, int64_t size) {
  std::optional<SliceRange> r = ResolveSlice(ev, p.as<SliceObj>(), size);
  return r && r->step == 1 && r->count == size;
}

// Refuses an index by which an axis would stand on two dims of the result: the slices' dims and the indices' ones.
bool UsesAxesOnce(Evaluator& ev, const ir::Type& operand, const ir::Type& indices, const ops::GatherAttrs& attrs) {
  const auto& shardings = ev.tracer().tables().shardings;
  mesh::AxisList seen;
  auto add = [&](const ir::Type& type, size_t dim) {
    mesh::AxisList axes = type.sharding.valid() ? shardings[type.sharding].dims[dim].axes : mesh::AxisList();
    bool once = !mesh::Overlaps(seen, axes);
    seen.append(axes.begin(), axes.end());
    return once;
  };
  bool once = true;
  for (size_t d = 0; d < operand.rank(); ++d) {
    bool picked = llvm::is_contained(attrs.collapsed_slice_dims, static_cast<int64_t>(d));
    once = (picked || add(operand, d)) && once;
  }
  for (size_t d = 0; d + 1 < indices.rank(); ++d) {
    once = add(indices, d) && once;
  }
  return once || !ev.Fail(diag::Kind::DuplicateAxis,
                          "the result of this index would use an axis for two dims: " + ShowType(ev, operand) +
                              " indexed by " + ShowType(ev, indices),
                          "reshard the array or the index first")
                      .failed();
}

Value GatherIndex(Evaluator& ev, Value x, Index index, const Value& out_sharding) {
  // Slices that cut are taken first; the gather then sees whole dims.
  Index basic;
  bool cuts = false;
  size_t d = 0;
  auto* all = ev.heap().New<SliceObj>();
  all->start = all->stop = all->step = Value::None();
  for (Value& p : index.parts) {
    if (p.is(VK::None)) {
      continue;
    }
    bool cut = p.is(VK::Slice) && !IsFullSlice(ev, p, TypeOfArray(x).dims[d]);
    basic.parts.push_back(cut ? p : Value::Object(VK::Slice, all));
    cuts |= cut;
    p = cut ? Value::Object(VK::Slice, all) : p;
    ++d;
  }
  x = cuts ? BasicIndex(ev, x, basic) : x;
  GatherPlan plan;
  if (x.failed() || !PlanGather(ev, TypeOfArray(x), index, plan)) {
    return Value::Error();
  }
  mesh::ShardingId out;
  size_t rank = plan.shape.size();
  if (!OutSharding(ev, out_sharding, rank, "gather", out)) {
    return Value::Error();
  }
  bool weak = x.as<ArrayObj>().weak;
  if (!out.valid() && !UsesAxesOnce(ev, TypeOfArray(x), TypeOfArray(plan.indices), plan.attrs)) {
    return Value::Error();
  }
  Value result = ev.tracer().Emit(OpKind::Gather, {x, plan.indices}, ev.tracer().Attrs(std::move(plan.attrs)), weak,
                                  plan.reshapes ? mesh::ShardingId() : out);
  return plan.reshapes ? Reshape(ev, result, plan.shape, out) : result;
}

// Traced scalars and contiguous slices only: JAX takes a dynamic slice. Missing where the index is another.
Value DynamicIndex(Evaluator& ev, const Value& x, const Index& index) {
  const ir::Type type = TypeOfArray(x);
  ops::DynamicSliceAttrs attrs;
  std::vector<Value> operands{x};
  tensor::Dims shape;
  size_t d = 0;
  for (const Value& p : index.parts) {
    if (p.is(VK::None)) {
      shape.push_back(1);
      continue;
    }
    int64_t size = type.dims[d++];
    if (p.is(VK::Slice)) {
      std::optional<SliceRange> r = ResolveSlice(ev, p.as<SliceObj>(), size);
      if (!r || r->step != 1) {
        return ev.has_failed() ? Value::Error() : Value();
      }
      attrs.sizes.push_back(r->count);
      shape.push_back(r->count);
      operands.push_back(ev.tracer().Constant(tensor::Literal::Integer(tensor::DType::S32, {}, r->start)));
      continue;
    }
    if (p.is(VK::Array) ? TypeOfArray(p).rank() != 0 : !IsScalarStatic(p)) {
      return Value();
    }
    attrs.sizes.push_back(1);
    operands.push_back(NormalizedIndex(ev, p, size));
  }
  if (ev.has_failed()) {
    return Value::Error();
  }
  Value slice =
      ev.tracer().Emit(OpKind::DynamicSlice, operands, ev.tracer().Attrs(std::move(attrs)), x.as<ArrayObj>().weak);
  return Reshape(ev, slice, shape);
}

// x[index]. A traced scalar is taken as a dynamic slice where a mode for indices outside does not ask for a gather.
Value PickItem(Evaluator& ev, const Value& array, Index expanded, const Value& out_sharding, bool may_slice) {
  if (expanded.arrays && out_sharding.none() && may_slice) {
    Value slice = DynamicIndex(ev, array, expanded);
    if (slice.given()) {
      return slice;
    }
  }
  if (expanded.arrays || !out_sharding.none()) {
    return expanded.arrays
               ? GatherIndex(ev, array, std::move(expanded), out_sharding)
               : ev.CallFunction(ev.FindIn(kSharding, "reshard"), {BasicIndex(ev, array, expanded), out_sharding});
  }
  return BasicIndex(ev, array, expanded);
}

struct AtObj : Object {
  Value array;
  Value index;  // Missing for x.at
};

// What becomes of indices outside: JAX's default is "clip" where x[i] is read, and "drop" where it is written.
enum class AtMode : uint8_t { Default, Fill, Clip, Promised };

// mode= and wrap_negative_indices= of x.at[i]'s methods.
std::optional<AtMode> ToAtMode(Evaluator& ev, const Value& mode, const Value& wrap) {
  bool wraps = true;
  if (!ev.ToBool(wrap, "wrap_negative_indices", true, wraps)) {
    return std::nullopt;
  }
  if (!wraps) {
    ev.NotBuilt("wrap_negative_indices=False of Array.at[]");
    return std::nullopt;
  }
  std::string name = mode.none() ? "" : mode.is(VK::Str) ? Text(mode) : Repr(mode);
  for (auto [text, known] :
       {std::pair("", AtMode::Default), std::pair("fill", AtMode::Fill), std::pair("drop", AtMode::Fill),
        std::pair("clip", AtMode::Clip), std::pair("promise_in_bounds", AtMode::Promised)}) {
    if (name == text) {
      return known;
    }
  }
  ev.TypeError("unknown mode '" + name + "': Array.at[] knows 'fill', 'drop', 'clip' and 'promise_in_bounds'");
  return std::nullopt;
}

bool IsArrayPart(const Value& part) { return !part.is(VK::None) && !part.is(VK::Slice); }

// Which of the picked elements lie inside the array: a pred of the arrays' common shape. `first`: the result's dim where
// that shape stands.
Value InsideIndex(Evaluator& ev, const ir::Type& type, const Index& index, int64_t& first) {
  Value inside;
  size_t dim = 0, behind = 0;
  bool apart = false;
  size_t before = 0;
  for (const Value& p : index.parts) {
    if (IsArrayPart(p)) {
      apart |= inside.given() && behind > 0;
      Value i = NormalizedIndex(ev, p, type.dims[dim]);
      Value low = i.failed() ? i : ev.Compare(Operator::Ge, i, Value::Int(0));
      Value high = low.failed() ? low : ev.Compare(Operator::Lt, i, Value::Int(type.dims[dim]));
      Value both = high.failed() ? high : ev.Binary(Operator::And, low, high);
      inside = both.failed() || !inside.given() ? both : ev.Binary(Operator::And, inside, both);
      if (inside.failed()) {
        return inside;
      }
    } else {
      (inside.given() ? behind : before) += 1;
    }
    dim += p.is(VK::None) ? 0 : 1;
  }
  first = apart ? 0 : static_cast<int64_t>(before);
  return inside;
}

// Whether an integer of an index that is known names no element.
bool NamesNothing(const ir::Type& type, const Index& index) {
  size_t dim = 0;
  for (const Value& p : index.parts) {
    if (p.is(VK::Int) && (p.as_int() < -type.dims[dim] || p.as_int() >= type.dims[dim])) {
      return true;
    }
    dim += p.is(VK::None) ? 0 : 1;
  }
  return false;
}

Value AtGet(Call& c) {
  Value v[7];
  if (!c.Bind("self, *, indices_are_sorted=, unique_indices=, mode=, fill_value=, out_sharding=, "
              "wrap_negative_indices=",
              v)) {
    return Value::Error();
  }
  AtObj at = v[0].as<AtObj>();
  std::optional<AtMode> mode = ToAtMode(c.ev, v[3], v[6]);
  Index index;
  if (!mode || !SpellBools(c.ev, at.array, at.index) || !Expand(c.ev, TypeOfArray(at.array), at.index, index)) {
    return Value::Error();
  }
  bool outside = *mode == AtMode::Fill || *mode == AtMode::Clip;
  bool nowhere = NamesNothing(TypeOfArray(at.array), index);
  Value result = PickItem(c.ev, at.array, index, v[5], !outside);
  if (result.failed() || *mode != AtMode::Fill || (!index.arrays && !nowhere)) {
    return result;
  }
  if (nowhere) {
    return FillOutside(c.ev, result, Full(c.ev, tensor::DType::Pred, {}, 0), {}, v[4]);
  }
  int64_t first = 0;
  Value inside = InsideIndex(c.ev, TypeOfArray(at.array), index, first);
  if (inside.failed()) {
    return inside;
  }
  tensor::Dims batch;
  for (size_t d = 0; d < TypeOfArray(inside).rank(); ++d) {
    batch.push_back(first + static_cast<int64_t>(d));
  }
  return FillOutside(c.ev, result, inside, batch, v[4]);
}

// Every array of an index moved to the nearest element there is.
bool ClipIndex(Evaluator& ev, const ir::Type& type, Index& index) {
  size_t dim = 0;
  for (Value& p : index.parts) {
    if (IsArrayPart(p)) {
      Value i = NormalizedIndex(ev, p, type.dims[dim]);
      p = i.failed() ? i : ev.CallFunction(ev.FindIn(kJnp, "clip"), {i, Value::Int(0), Value::Int(type.dims[dim] - 1)});
      if (p.failed()) {
        return false;
      }
    }
    dim += p.is(VK::None) ? 0 : 1;
  }
  return true;
}

// How a method of x.at[i] updates; divide, power and apply are made of other functions.
enum class AtMethod : int64_t { Set, Add, Subtract, Multiply, Min, Max, Divide, Power, Apply };

// x / (ones with y multiplied in), x ** (the same).
Value AtByFactors(Evaluator& ev, const AtObj& at, llvm::ArrayRef<Value> parts, const Value& values, bool power,
                  const AtOptions& options) {
  Value ones = ev.CallFunction(ev.FindIn(kJnp, "ones_like"), at.array);
  Value factors = ones.failed() ? ones : UpdateAt(ev, ScatterKind::Multiply, ones, parts, values, options);
  return factors.failed() ? factors : ev.Binary(power ? Operator::Pow : Operator::Div, at.array, factors);
}

// x.at[i].set(values), .add(values), ..., .apply(function).
Value AtUpdate(Call& c) {
  Value v[7];
  if (!c.Bind("self, values, *, indices_are_sorted=, unique_indices=, mode=, out_sharding=, wrap_negative_indices=",
              v)) {
    return Value::Error();
  }
  AtObj at = v[0].as<AtObj>();
  const tensor::Dims dims = TypeOfArray(at.array).dims;
  AtOptions options;
  options.out_sharding = v[5];
  Index index;
  if (!SpellBools(c.ev, at.array, at.index) ||
      !c.ev.ToBool(v[2], "indices_are_sorted", false, options.indices_are_sorted) ||
      !c.ev.ToBool(v[3], "unique_indices", false, options.unique_indices) ||
      !Expand(c.ev, TypeOfArray(at.array), at.index, index)) {
    return Value::Error();
  }
  std::optional<AtMode> mode = ToAtMode(c.ev, v[4], v[6]);
  if (!mode || (*mode == AtMode::Clip && !ClipIndex(c.ev, TypeOfArray(at.array), index))) {
    return Value::Error();
  }
  auto method = static_cast<AtMethod>(c.builtin.data);
  Value values = v[1];
  if (method == AtMethod::Apply) {
    Value picked = ArrayGetItem(c.ev, at.array, at.index);
    TracedRequest request{"apply", values, {{"", false, picked}}, {}};
    values = picked.failed() ? picked : c.ev.tracer().traced_calls().CallInline(c.ev, request);
    method = AtMethod::Set;
  }
  if (values.failed()) {
    return values;
  }
  bool by_factors = method == AtMethod::Divide || method == AtMethod::Power;
  Value result = by_factors ? AtByFactors(c.ev, at, index.parts, values, method == AtMethod::Power, options)
                            : UpdateAt(c.ev, static_cast<ScatterKind>(method), at.array, index.parts, values, options);
  bool widened = !result.failed() && TypeOfArray(result).rank() != dims.size();
  return widened ? Reshape(c.ev, result, dims) : result;
}

constexpr int64_t Data(AtMethod method) { return static_cast<int64_t>(method); }

const Builtin kAtMethods[] = {
    {0, "get", AtGet},
    {0, "set", AtUpdate, Data(AtMethod::Set)},
    {0, "add", AtUpdate, Data(AtMethod::Add)},
    {0, "subtract", AtUpdate, Data(AtMethod::Subtract)},
    {0, "sub", AtUpdate, Data(AtMethod::Subtract)},
    {0, "multiply", AtUpdate, Data(AtMethod::Multiply)},
    {0, "mul", AtUpdate, Data(AtMethod::Multiply)},
    {0, "divide", AtUpdate, Data(AtMethod::Divide)},
    {0, "power", AtUpdate, Data(AtMethod::Power)},
    {0, "min", AtUpdate, Data(AtMethod::Min)},
    {0, "max", AtUpdate, Data(AtMethod::Max)},
    {0, "apply", AtUpdate, Data(AtMethod::Apply)},
};

}  // namespace

Value NormalizedIndex(Evaluator& ev, const Value& index, int64_t size) {
  Value i = ToArray(ev, index);
  if (i.failed()) {
    return i;
  }
  if (index.is(VK::NdArray) || index.is(VK::Int)) {
    tensor::Literal value = index.is(VK::Int)
                                ? tensor::Literal::Integer(tensor::DType::S32, {}, index.i)
                                : index.as<NdArrayObj>().value().ConvertTo(tensor::DType::S32).Materialize();
    for (int64_t k = 0; k < value.size(); ++k) {
      if (value.GetInt(k) < 0) {
        value.SetInt(k, value.GetInt(k) + size);
      }
    }
    return ev.tracer().Constant(std::move(value));
  }
  i = Convert(ev, i, TypeOfArray(i).dtype);
  if (tensor::Class(TypeOfArray(i).dtype) == tensor::DClass::Signed) {
    Value negative = ev.Compare(Operator::Lt, i, Value::Int(0));
    Value wrapped = negative.failed() ? negative : ev.Binary(Operator::Add, i, Value::Int(size));
    i = wrapped.failed() ? wrapped : ev.CallFunction(ev.FindIn(kJnp, "where"), {negative, wrapped, i});
  }
  return i.failed() ? i : Convert(ev, i, tensor::DType::S32);
}

Value ArrayGetItem(Evaluator& ev, const Value& array, const Value& index, const Value& out_sharding) {
  if (index.is(VK::Bool)) {  // a dim more, of size 1 or 0
    Value wide = ArrayGetItem(ev, array, Value::None());
    auto* none = ev.heap().New<SliceObj>();
    none->start = none->step = Value::None();
    none->stop = Value::Int(0);
    return index.b || wide.failed() ? wide : ArrayGetItem(ev, wide, Value::Object(VK::Slice, none));
  }
  Index expanded;
  Value widened = array, spelled = index;
  return SpellBools(ev, widened, spelled) && Expand(ev, TypeOfArray(widened), spelled, expanded)
             ? PickItem(ev, widened, std::move(expanded), out_sharding, /*may_slice=*/true)
             : Value::Error();
}

Value MakeAt(Evaluator& ev, const Value& array) {
  auto* at = ev.heap().New<AtObj>();
  at->array = array;
  return Value::Object(VK::AtRef, at);
}

Value AtGetItem(Evaluator& ev, const Value& v, const Value& index) {
  auto* at = ev.heap().New<AtObj>();
  *at = v.as<AtObj>();
  at->index = index;
  return Value::Object(VK::AtRef, at);
}

Value AtAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto* found = llvm::find_if(kAtMethods, [&](const Builtin& b) { return name == b.name; });
  if (found == std::end(kAtMethods) || !v.as<AtObj>().index.given()) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = v;
  method->builtin = found;
  return Value::Object(VK::Method, method);
}

}  // namespace spmdc::text::native
