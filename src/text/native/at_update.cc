// x.at[index].set(y) and its kin: numpy's index as the indices and windows of a scatter.
#include "text/native/at_update.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/constant.h"
#include "text/native/numpy.h"
#include "text/native/scatter.h"
#include "text/native/sharding_api.h"

namespace spmdc::text::native {
namespace {

using tensor::DType;

// A dim of what the index picks, in the result's order.
struct Picked {
  int64_t size = 1;
  bool window = false;  // a slice with step 1; else a batch dim of the indices
  bool added = false;   // by None: not a dim of the updates
  size_t dim = 0;       // of a window: the operand's dim
};

// Where a dim of the operand is addressed: a start for each place of the batch.
struct Start {
  size_t dim = 0;  // of the operand
  Value value;     // s32, its dims are the picked dims `along`
  std::vector<size_t> along;
};

struct Plan {
  std::vector<Picked> picked;
  std::vector<Start> starts;
  ops::ScatterAttrs attrs;
};

// start, start + step, ...: a strided slice as indices.
Value Arange(Evaluator& ev, const SliceRange& r) {
  tensor::Literal values(DType::S32, {r.count});
  for (int64_t i = 0; i < r.count; ++i) {
    values.SetInt(i, r.start + i * r.step);
  }
  return ev.tracer().Constant(std::move(values));
}

bool PlanSlice(Evaluator& ev, const Value& part, size_t dim, int64_t size, Plan& plan) {
  std::optional<SliceRange> r = ResolveSlice(ev, part.as<SliceObj>(), size);
  if (!r) {
    return false;
  }
  bool window = r->step == 1;
  plan.picked.push_back({r->count, window, false, dim});
  if (!window) {
    plan.attrs.inserted_window_dims.push_back(static_cast<int64_t>(dim));
    plan.starts.push_back({dim, Arange(ev, *r), {plan.picked.size() - 1}});
  } else if (r->count != size) {
    plan.starts.push_back({dim, ev.tracer().S32(r->start), {}});
  }
  return !ev.has_failed();
}

// Numpy's rule: the arrays' common dims stand where the first array is, or in front if slices stand between arrays.
bool PlanIndex(Evaluator& ev, const ir::Type& type, llvm::ArrayRef<Value> parts, Plan& plan) {
  std::vector<Value> arrays;
  std::vector<size_t> array_dims;
  bool between = false, apart = false;
  for (size_t i = 0, dim = 0; i < parts.size(); ++i) {
    bool array = !parts[i].is(VK::None) && !parts[i].is(VK::Slice);
    apart |= array && between;
    between |= !array && !arrays.empty();
    if (array) {
      arrays.push_back(NormalizedIndex(ev, parts[i], type.dims[dim]));
      array_dims.push_back(dim);
      if (arrays.back().failed()) {
        return false;
      }
    }
    dim += parts[i].is(VK::None) ? 0 : 1;
  }
  if (!BroadcastAll(ev, "indexing", arrays)) {
    return false;
  }
  std::vector<size_t> along;
  auto add_batch = [&] {
    for (int64_t size : TypeOfArray(arrays[0]).dims) {
      along.push_back(plan.picked.size());
      plan.picked.push_back({size, false, false});
    }
  };
  bool placed = arrays.empty();
  if (apart) {
    add_batch();
    placed = true;
  }
  for (size_t i = 0, dim = 0; i < parts.size(); ++i) {
    if (parts[i].is(VK::None)) {
      plan.picked.push_back({1, false, true});
      continue;
    }
    if (parts[i].is(VK::Slice)) {
      if (!PlanSlice(ev, parts[i], dim, type.dims[dim], plan)) {
        return false;
      }
    } else {
      plan.attrs.inserted_window_dims.push_back(static_cast<int64_t>(dim));
      if (!placed) {
        add_batch();
        placed = true;
      }
    }
    ++dim;
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    plan.starts.push_back({array_dims[i], arrays[i], along});
  }
  return true;
}

// s32[batch..., n]: the starts side by side.
Value Indices(Evaluator& ev, Plan& plan) {
  tensor::Dims batch;
  std::vector<int64_t> place(plan.picked.size(), -1);
  for (size_t p = 0; p < plan.picked.size(); ++p) {
    if (!plan.picked[p].window && !plan.picked[p].added) {
      place[p] = static_cast<int64_t>(batch.size());
      batch.push_back(plan.picked[p].size);
    }
  }
  plan.attrs.index_vector_dim = static_cast<int64_t>(batch.size());
  tensor::Dims column = batch;
  column.push_back(1);
  std::vector<Value> columns;
  for (const Start& start : plan.starts) {
    tensor::Dims dims;
    for (size_t p : start.along) {
      dims.push_back(place[p]);
    }
    columns.push_back(BroadcastInDim(ev, start.value, column, dims));
    plan.attrs.scatter_dims_to_operand_dims.push_back(static_cast<int64_t>(start.dim));
    if (columns.back().failed()) {
      return Value::Error();
    }
  }
  if (columns.empty()) {
    batch.push_back(0);
    return Full(ev, DType::S32, batch, 0);
  }
  return columns.size() == 1 ? columns[0]
                             : ev.CallFunction(ev.FindIn(kJnp, "concatenate"),
                                               {ev.heap().List(columns), Value::Int(plan.attrs.index_vector_dim)});
}

// The updates broadcast to what the index picks, whose windows are sharded as the operand's dims are.
Value BroadcastUpdates(Evaluator& ev, const Value& updates, llvm::ArrayRef<int64_t> dims, const ir::Type& operand,
                       const Plan& plan) {
  std::vector<std::pair<llvm::StringRef, Value>> options;
  const ir::Type& type = TypeOfArray(updates);
  mesh::ShardingId known = operand.sharding.valid() ? operand.sharding : type.sharding;
  auto splits = [&](const ir::Type& t) {
    return t.sharding.valid() && llvm::any_of(ev.tracer().tables().shardings[t.sharding].dims,
                                              [](const mesh::DimSharding& dim) { return !dim.axes.empty(); });
  };
  if (splits(operand) || splits(type)) {
    const mesh::Sharding s = ev.tracer().tables().shardings[known];
    mesh::Sharding wanted = mesh::Replicated(s.mesh, dims.size());
    for (size_t p = 0; p < dims.size() && operand.sharding.valid(); ++p) {
      wanted.dims[p].axes = plan.picked[p].window ? s.dims[plan.picked[p].dim].axes : mesh::AxisList();
    }
    if (llvm::ArrayRef<int64_t>(type.dims) == dims && type.sharding.valid() &&
        ev.tracer().tables().shardings[type.sharding] == wanted) {
      return updates;
    }
    Value sharding = ShardingValue(ev, ev.tracer().MeshValue(s.mesh), wanted);
    options.push_back({"out_sharding", sharding});
  }
  return ev.CallFunction(ev.FindIn(kJnp, "broadcast_to"), {updates, ev.heap().Ints(dims)}, options);
}

// The updates in the form of what the index picks, without the dims that None adds.
Value Updates(Evaluator& ev, const Value& values, const ir::Type& operand, Plan& plan) {
  tensor::Dims whole, kept;
  for (const Picked& p : plan.picked) {
    whole.push_back(p.size);
    if (p.added) {
      continue;
    }
    if (p.window) {
      plan.attrs.update_window_dims.push_back(static_cast<int64_t>(kept.size()));
    }
    kept.push_back(p.size);
  }
  Value u = values.is_sequence() ? ev.CallFunction(ev.FindIn(kJnp, "array"), values) : values;
  u = u.failed() ? u : ToArray(ev, u, operand.dtype);
  u = u.failed() ? u : BroadcastUpdates(ev, u, whole, operand, plan);
  return u.failed() || whole == kept ? u : Reshape(ev, u, kept);
}

}  // namespace

Value UpdateAt(Evaluator& ev, ScatterKind kind, const Value& array, llvm::ArrayRef<Value> parts, const Value& values,
               const AtOptions& options) {
  const ir::Type type = TypeOfArray(array);
  Plan plan;
  mesh::ShardingId out;
  if (!PlanIndex(ev, type, parts, plan) || !OutSharding(ev, options.out_sharding, type.rank(), "scatter", out)) {
    return Value::Error();
  }
  Value indices = Indices(ev, plan);
  Value updates = indices.failed() ? indices : Updates(ev, values, type, plan);
  if (updates.failed()) {
    return updates;
  }
  llvm::sort(plan.attrs.inserted_window_dims);
  plan.attrs.indices_are_sorted = options.indices_are_sorted;
  plan.attrs.unique_indices = options.unique_indices;
  return EmitScatter(ev, kind, array, indices, updates, std::move(plan.attrs), out);
}

}  // namespace spmdc::text::native
