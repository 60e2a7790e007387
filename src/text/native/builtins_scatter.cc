// lax.gather and lax.scatter with its kin, and their dimension numbers.
#include "text/native/scatter.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"
#include "text/native/placement.h"
#include "text/native/sharding_api.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;

// A body of two scalars that gives the second one: an update replaces what was there.
ir::FuncId ReplaceBody(Tracer& tracer, tensor::DType dtype) {
  return tracer.ScalarBody("replace", {dtype, dtype}, {"a", "b"},
                           [](llvm::ArrayRef<Value> args) { return std::vector<Value>{args[1]}; });
}

// GatherDimensionNumbers(...) and ScatterDimensionNumbers(...) (data 1): their fields by name.
Value DimensionNumbers(Call& c) {
  static constexpr llvm::StringRef kGather[] = {"offset_dims", "collapsed_slice_dims", "start_index_map",
                                                "operand_batching_dims", "start_indices_batching_dims"};
  static constexpr llvm::StringRef kScatter[] = {"update_window_dims", "inserted_window_dims",
                                                 "scatter_dims_to_operand_dims", "operand_batching_dims",
                                                 "scatter_indices_batching_dims"};
  bool scatter = c.builtin.data == 1;
  Value v[5];
  if (!c.Bind(scatter ? "update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, "
                        "operand_batching_dims=, scatter_indices_batching_dims="
                      : "offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims=, "
                        "start_indices_batching_dims=",
              v)) {
    return Value::Error();
  }
  auto* dict = c.ev.heap().New<DictObj>();
  for (size_t i = 0; i < 5; ++i) {
    dict->items.push_back(
        {c.ev.heap().Str((scatter ? kScatter[i] : kGather[i]).str()), v[i].given() ? v[i] : c.ev.heap().Tuple({})});
  }
  return Value::Object(VK::Dict, dict);
}

bool Numbers(Evaluator& ev, const Value& v, llvm::ArrayRef<std::pair<llvm::StringRef, tensor::Dims*>> fields) {
  if (!v.is(VK::Dict)) {
    return !ev.TypeError("dimension_numbers must be GatherDimensionNumbers or ScatterDimensionNumbers, got " +
                         TypeName(v))
                .failed();
  }
  for (const auto& [name, out] : fields) {
    Value field = ev.GetItem(v, ev.heap().Str(name.str()));
    if (field.failed() || !ev.ToInts(field, "a field of dimension_numbers", *out)) {
      return false;
    }
  }
  return true;
}

// What gathers and scatters are told of their indices. mode says how those outside are taken: "fill" (lax's default; of
// scatters "drop"), "clip" or "promise_in_bounds".
struct IndexOptions {
  bool sorted = false, unique = false;
  std::string mode = "fill";
};

bool ReadIndexOptions(Evaluator& ev, const Value& sorted, const Value& unique, const Value& mode, IndexOptions& out) {
  if (!mode.none()) {
    out.mode = mode.is(VK::Str) ? Text(mode) : "";
    out.mode = out.mode == "drop" ? "fill" : out.mode;
  }
  if (out.mode != "fill" && out.mode != "clip" && out.mode != "promise_in_bounds") {
    return !ev.TypeError("mode must be 'fill', 'drop', 'clip' or 'promise_in_bounds', got " + Repr(mode)).failed();
  }
  return ev.ToBool(sorted, "indices_are_sorted", false, out.sorted) &&
         ev.ToBool(unique, "unique_indices", false, out.unique);
}

// The dim that holds the index vectors is the last one.
std::optional<int64_t> VectorDim(Evaluator& ev, llvm::StringRef function, const Value& indices) {
  auto rank = static_cast<int64_t>(TypeOfArray(indices).rank());
  if (rank == 0) {
    ev.Fail(diag::Kind::ShapeRule, function.str() + ": the indices need a dim that holds the index vectors");
    return std::nullopt;
  }
  return rank - 1;
}

// Which slices lie inside the operand: a pred per batch of indices.
Value InBounds(Evaluator& ev, const ir::Type& operand, const Value& indices, const ops::GatherAttrs& attrs) {
  tensor::Literal most(tensor::DType::S32, {static_cast<int64_t>(attrs.start_index_map.size())});
  for (size_t i = 0; i < attrs.start_index_map.size(); ++i) {
    auto d = static_cast<size_t>(attrs.start_index_map[i]);
    most.SetInt(static_cast<int64_t>(i), operand.dims[d] - attrs.slice_sizes[d]);
  }
  Value i = Convert(ev, indices, tensor::DType::S32);
  Value low = i.failed() ? i : ev.Compare(Operator::Ge, i, Value::Int(0));
  Value high = low.failed() ? low : ev.Compare(Operator::Le, i, ev.tracer().Constant(std::move(most)));
  Value both = high.failed() ? high : ev.Binary(Operator::And, low, high);
  return both.failed() ? both : ev.CallFunction(ev.FindIn(kJnp, "all"), {both, Value::Int(attrs.index_vector_dim)});
}

Value Gather(Call& c) {
  Value v[9];
  if (!c.Bind("operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=, indices_are_sorted=, mode=, "
              "fill_value=, out_sharding=",
              v)) {
    return Value::Error();
  }
  ops::GatherAttrs attrs;
  Value x = ToArray(c.ev, v[0]), i = x.failed() ? x : ToArray(c.ev, v[1]);
  IndexOptions options;
  if (i.failed() || !ReadIndexOptions(c.ev, v[5], v[4], v[6], options) || !c.ev.ToShape(v[3], attrs.slice_sizes) ||
      !Numbers(c.ev, v[2],
               {{"offset_dims", &attrs.offset_dims},
                {"collapsed_slice_dims", &attrs.collapsed_slice_dims},
                {"start_index_map", &attrs.start_index_map},
                {"operand_batching_dims", &attrs.operand_batching_dims},
                {"start_indices_batching_dims", &attrs.start_indices_batching_dims}})) {
    return Value::Error();
  }
  std::optional<int64_t> vector_dim = VectorDim(c.ev, "gather", i);
  if (!vector_dim) {
    return Value::Error();
  }
  attrs.index_vector_dim = *vector_dim;
  attrs.indices_are_sorted = options.sorted;
  mesh::ShardingId out;
  size_t rank = TypeOfArray(i).rank() - 1 + attrs.offset_dims.size();
  if (!OutSharding(c.ev, v[8], rank, "gather", out)) {
    return Value::Error();
  }
  Value result = c.ev.tracer().Emit(OpKind::Gather, {x, i}, c.ev.tracer().Attrs(attrs), x.as<ArrayObj>().weak, out);
  if (result.failed() || options.mode != "fill") {
    return result;
  }
  Value inside = InBounds(c.ev, TypeOfArray(x), i, attrs);
  tensor::Dims batch;
  for (size_t d = 0; d < rank; ++d) {
    if (!llvm::is_contained(attrs.offset_dims, static_cast<int64_t>(d))) {
      batch.push_back(static_cast<int64_t>(d));
    }
  }
  return inside.failed() ? inside : FillOutside(c.ev, result, inside, batch, v[7]);
}

// The starts of a scatter's windows moved to where the windows lie inside the operand.
Value ClippedStarts(Evaluator& ev, const ir::Type& operand, const ir::Type& updates, const Value& indices,
                    const ops::ScatterAttrs& attrs) {
  auto within = [](llvm::ArrayRef<int64_t> dims, const ir::Type& type) {
    return llvm::all_of(dims, [&](int64_t d) { return d >= 0 && d < static_cast<int64_t>(type.rank()); });
  };
  if (!within(attrs.update_window_dims, updates) || !within(attrs.scatter_dims_to_operand_dims, operand)) {
    return indices;  // the op says what is wrong
  }
  tensor::Dims windows;  // per operand dim
  for (size_t d = 0, w = 0; d < operand.rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    bool one = llvm::is_contained(attrs.inserted_window_dims, dim) ||
               llvm::is_contained(attrs.input_batching_dims, dim) || w >= attrs.update_window_dims.size();
    windows.push_back(one ? 1 : updates.dims[static_cast<size_t>(attrs.update_window_dims[w++])]);
  }
  auto n = static_cast<int64_t>(attrs.scatter_dims_to_operand_dims.size());
  tensor::Literal most(tensor::DType::S32, {n});
  for (int64_t k = 0; k < n; ++k) {
    auto d = static_cast<size_t>(attrs.scatter_dims_to_operand_dims[static_cast<size_t>(k)]);
    most.SetInt(k, operand.dims[d] - windows[d]);
  }
  Value top = ev.tracer().Constant(std::move(most));
  return ev.CallFunction(ev.FindIn(kJnp, "clip"), {indices, Value::Int(0), top});
}

// lax.scatter and scatter_add, _mul, _min, _max, _sub.
Value ScatterOf(Call& c) {
  Value v[8];
  if (!c.Bind("operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=, unique_indices=, mode=, "
              "out_sharding=",
              v)) {
    return Value::Error();
  }
  ops::ScatterAttrs attrs;
  Value x = ToArray(c.ev, v[0]), i = x.failed() ? x : ToArray(c.ev, v[1]);
  Value u = i.failed() ? i : ToArray(c.ev, v[2]);
  IndexOptions options;
  if (u.failed() || !ReadIndexOptions(c.ev, v[4], v[5], v[6], options) ||
      !Numbers(c.ev, v[3],
               {{"update_window_dims", &attrs.update_window_dims},
                {"inserted_window_dims", &attrs.inserted_window_dims},
                {"scatter_dims_to_operand_dims", &attrs.scatter_dims_to_operand_dims},
                {"operand_batching_dims", &attrs.input_batching_dims},
                {"scatter_indices_batching_dims", &attrs.scatter_indices_batching_dims}})) {
    return Value::Error();
  }
  if (TypeOfArray(x).dtype != TypeOfArray(u).dtype) {
    return c.ev.Fail(diag::Kind::DtypeRule, std::string("lax.") + c.builtin.name +
                                                " requires arguments to have the same dtypes, got " +
                                                tensor::NumpyName(TypeOfArray(x).dtype).str() + ", " +
                                                tensor::NumpyName(TypeOfArray(u).dtype).str());
  }
  std::optional<int64_t> vector_dim = VectorDim(c.ev, "scatter", i);
  if (!vector_dim) {
    return Value::Error();
  }
  attrs.index_vector_dim = *vector_dim;
  attrs.indices_are_sorted = options.sorted;
  attrs.unique_indices = options.unique;
  mesh::ShardingId out;
  if (!OutSharding(c.ev, v[7], TypeOfArray(x).rank(), "scatter", out)) {
    return Value::Error();
  }
  if (options.mode == "clip") {
    i = ClippedStarts(c.ev, TypeOfArray(x), TypeOfArray(u), i, attrs);
    if (i.failed()) {
      return i;
    }
  }
  return EmitScatter(c.ev, static_cast<ScatterKind>(c.builtin.data), x, i, u, std::move(attrs), out);
}

constexpr int64_t Kind(ScatterKind kind) { return static_cast<int64_t>(kind); }

const Builtin kLaxTable[] = {
    {kLax, "GatherDimensionNumbers", DimensionNumbers, 0},
    {kLax, "ScatterDimensionNumbers", DimensionNumbers, 1},
    {kLax | kBare, "gather", Gather},
    {kLax | kBare, "scatter", ScatterOf, Kind(ScatterKind::Set)},
    {kLax | kBare, "scatter_add", ScatterOf, Kind(ScatterKind::Add)},
    {kLax | kBare, "scatter_mul", ScatterOf, Kind(ScatterKind::Multiply)},
    {kLax | kBare, "scatter_min", ScatterOf, Kind(ScatterKind::Min)},
    {kLax | kBare, "scatter_max", ScatterOf, Kind(ScatterKind::Max)},
    {kLax | kBare, "scatter_sub", ScatterOf, Kind(ScatterKind::Subtract)},
};

}  // namespace

Value FillOutside(Evaluator& ev, const Value& result, Value inside, llvm::ArrayRef<int64_t> batch, const Value& fill) {
  const ir::Type type = TypeOfArray(result);
  // The mask is sharded as the result's batch dims are.
  if (type.sharding.valid()) {
    mesh::Sharding s = ev.tracer().tables().shardings[type.sharding];
    Value sharding = ShardingValue(ev, ev.tracer().MeshValue(s.mesh), s);
    auto& whole = sharding.as<ShardingObj>();
    ShardingObj part = whole;
    part.sharding.dims.clear();
    part.spec.entries.clear();
    for (int64_t d : batch) {
      part.sharding.dims.push_back(s.dims[static_cast<size_t>(d)]);
      part.spec.entries.push_back(whole.spec.entries[static_cast<size_t>(d)]);
    }
    inside = inside.failed() ? inside : ReshardTo(ev, inside, part, "gather");
  }
  Value mask = inside.failed() ? inside : BroadcastInDim(ev, inside, type.dims, batch, type.sharding);
  double number = tensor::IsFloat(type.dtype) || tensor::IsComplex(type.dtype) ? std::nan("")
                  : tensor::Class(type.dtype) == tensor::DClass::Signed ? -std::exp2(tensor::BitWidth(type.dtype) - 1)
                  : type.dtype == tensor::DType::Pred                   ? 1
                  : tensor::IsKey(type.dtype)                           ? std::exp2(32) - 1  // each word
                                                                        : std::exp2(tensor::BitWidth(type.dtype)) - 1;
  Value filling = mask.failed() ? mask : Full(ev, type.dtype, type.dims, number, false, type.sharding);
  if (!fill.none() && !filling.failed()) {
    Value scalar = ToArray(ev, fill, type.dtype);
    filling = scalar.failed() ? scalar : BroadcastTo(ev, scalar, type.dims, type.sharding);
  }
  return filling.failed() ? filling
                          : ev.tracer().Emit(OpKind::Select, {mask, result, filling}, {}, result.as<ArrayObj>().weak);
}

Value EmitScatter(Evaluator& ev, ScatterKind kind, const Value& operand, const Value& indices, Value updates,
                  ops::ScatterAttrs attrs, mesh::ShardingId out_sharding) {
  tensor::DType dtype = TypeOfArray(operand).dtype;
  if (kind == ScatterKind::Subtract) {
    updates = ev.tracer().Emit(OpKind::Negate, updates);
  }
  if (updates.failed()) {
    return updates;
  }
  mesh::Monoid monoid = kind == ScatterKind::Multiply ? mesh::Monoid::Product
                        : kind == ScatterKind::Min    ? mesh::Monoid::Min
                        : kind == ScatterKind::Max    ? mesh::Monoid::Max
                                                      : mesh::Monoid::Sum;
  ir::FuncId body = kind == ScatterKind::Set ? ReplaceBody(ev.tracer(), dtype) : ev.tracer().MonoidBody(monoid, dtype);
  return ev.tracer().Emit(OpKind::Scatter, {operand, indices, updates}, ev.tracer().Attrs(std::move(attrs)),
                          operand.as<ArrayObj>().weak, out_sharding, body);
}

llvm::ArrayRef<Builtin> LaxBuiltins() { return kLaxTable; }

}  // namespace spmdc::text::native
