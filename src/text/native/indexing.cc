// x[...]: slices, integers, None and `...` become slice, reverse and reshape; integer arrays become gather.
#include "llvm/ADT/STLExtras.h"
#include "ops/gather.h"
#include "ops/slice.h"
#include "text/native/at_update.h"
#include "text/native/evaluator.h"
#include "text/native/index.h"
#include "text/native/index_masks.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;

bool IsScalarStatic(const Value& v) {
  return v.is(VK::Int) || (v.is(VK::NdArray) && v.as<NdArrayObj>().dims().empty());
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

}  // namespace

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

}  // namespace spmdc::text::native
