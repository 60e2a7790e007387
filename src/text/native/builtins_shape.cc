// Functions that rearrange, cut and join arrays.
#include "llvm/ADT/STLExtras.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/strict.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;

// Sizes with one -1 made definite; empty after a diagnostic.
bool ResolveSizes(Evaluator& ev, const ir::Type& type, tensor::Dims& dims) {
  int64_t known = 1;
  int64_t* open = nullptr;
  for (int64_t& d : dims) {
    if (d == -1 && open == nullptr) {
      open = &d;
    } else {
      known *= d;
    }
  }
  int64_t size = type.num_elements();
  bool bad = llvm::any_of(dims, [&](const int64_t& d) { return d < 0 && &d != open; });
  if (open != nullptr && !bad) {
    bad = known == 0 || size % known != 0;
    *open = bad ? -1 : size / known;
  }
  if (bad || tensor::NumElements(dims) != size) {
    return !ev.Fail(diag::Kind::ReshapeSize, "cannot reshape array of shape " + ShapeText(type.dims) + " (size " +
                                                 std::to_string(size) + ") into shape " + ShapeText(dims))
                .failed();
  }
  return true;
}

// reshape(x, shape) as a function, x.reshape(2, 3) as a method.
Value ReshapeOf(Call& c) {
  bool method = c.builtin.data == 1;
  if (method && c.args.size() > 2) {
    std::vector<Value> sizes(c.args.begin() + 1, c.args.end());
    c.args.resize(1);
    c.args.push_back(c.ev.heap().Tuple(std::move(sizes)));
  }
  Value v[5];
  if (!c.Bind("a, shape, order=, *, copy=, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims dims;
  if (x.failed() || !c.ev.ToInts(v[1], "a shape", dims) || !ResolveSizes(c.ev, TypeOfArray(x), dims)) {
    return Value::Error();
  }
  if (v[2].is(VK::Str) && Text(v[2]) == "F") {
    tensor::Dims reversed(dims.rbegin(), dims.rend());
    Value t = c.ev.CallFunction(c.ev.FindIn(kJnp, "transpose"), x);
    t = t.failed() ? t : Reshape(c.ev, t, reversed);
    return t.failed() ? t : c.ev.CallFunction(c.ev.FindIn(kJnp, "transpose"), t);
  }
  mesh::ShardingId out;
  return OutSharding(c.ev, v[4], dims.size(), "reshape", out) ? Reshape(c.ev, x, dims, out) : Value::Error();
}

// JAX counts the elements only when it lowers a lax.reshape, unless it has to find out the result's sharding.
bool CountsElements(Evaluator& ev, const ir::Type& type, llvm::ArrayRef<int64_t> dims, const Value& out_sharding) {
  bool sharded = type.sharding.valid() && out_sharding.none();
  bool whole = llvm::all_of(dims, [](int64_t d) { return d >= 0; });
  return sharded || !whole || tensor::NumElements(dims) == type.num_elements() ||
         !ev.FailAt(ev.lowering_span(), diag::Kind::ReshapeSize,
                    "cannot reshape array of shape " + ShapeText(type.dims) + " into shape " + ShapeText(dims))
              .failed();
}

// lax.reshape(x, new_sizes, dimensions=None, *, out_sharding=None)
Value LaxReshape(Call& c) {
  Value v[4];
  if (!c.Bind("operand, new_sizes, dimensions=, *, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims dims, permutation;
  mesh::ShardingId out;
  if (x.failed() || !c.ev.ToShape(v[1], dims) || (!v[2].none() && !c.ev.ToInts(v[2], "dimensions", permutation)) ||
      !CountsElements(c.ev, TypeOfArray(x), dims, v[3]) || !ResolveSizes(c.ev, TypeOfArray(x), dims) ||
      !OutSharding(c.ev, v[3], dims.size(), "reshape", out)) {
    return Value::Error();
  }
  if (!permutation.empty()) {
    x = Transpose(c.ev, x, permutation);
  }
  return Reshape(c.ev, x, dims, out);
}

Value Ravel(Call& c) {
  Value v[3];
  if (!c.Bind("a, order=, *, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  mesh::ShardingId out;
  if (x.failed() || !OutSharding(c.ev, v[2], 1, "ravel", out)) {
    return Value::Error();
  }
  std::optional<std::string> order = v[1].none() ? "C" : c.ev.ToStr(v[1], "an order");
  if (!order) {
    return Value::Error();
  }
  if (*order == "F") {
    tensor::Dims reversed;
    for (auto d = static_cast<int64_t>(TypeOfArray(x).rank()); d-- > 0;) {
      reversed.push_back(d);
    }
    x = Transpose(c.ev, x, reversed);
  } else if (*order != "C") {
    return c.ev.Fail(diag::Kind::Arguments, "ravel() takes the orders 'C' and 'F', got '" + *order + "'");
  }
  return x.failed() ? x : Reshape(c.ev, x, {TypeOfArray(x).num_elements()}, out);
}

bool CheckPermutation(Evaluator& ev, const ir::Type& type, tensor::Dims& permutation) {
  auto rank = static_cast<int64_t>(type.rank());
  tensor::Dims sorted;
  for (int64_t& p : permutation) {
    p = p < 0 ? p + rank : p;
    sorted.push_back(p);
  }
  llvm::sort(sorted);
  bool good = permutation.size() == type.rank();
  for (size_t i = 0; good && i < sorted.size(); ++i) {
    good = sorted[i] == static_cast<int64_t>(i);
  }
  return good || !ev.Fail(diag::Kind::AxisRange,
                          "transpose permutation isn't a permutation of operand dimensions, got permutation " +
                              ShapeText(permutation) + " for operand shape " + ShapeText(type.dims))
                      .failed();
}

// transpose(x, axes), x.transpose(1, 0), lax.transpose(x, permutation).
Value TransposeOf(Call& c) {
  bool method = c.builtin.modules == kMethod, lax = c.builtin.modules == kLax;
  if (method && c.args.size() > 2) {
    std::vector<Value> axes(c.args.begin() + 1, c.args.end());
    c.args.resize(1);
    c.args.push_back(c.ev.heap().Tuple(std::move(axes)));
  }
  bool permute = llvm::StringRef(c.builtin.name) == "permute_dims";
  Value v[2];
  if (!c.Bind(lax ? "operand, permutation" : permute ? "a, /, axes" : "a, axes=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims permutation;
  if (x.failed() || (!v[1].none() && !c.ev.ToInts(v[1], "the axes", permutation))) {
    return Value::Error();
  }
  if (v[1].none()) {
    for (size_t i = TypeOfArray(x).rank(); i-- > 0;) {
      permutation.push_back(static_cast<int64_t>(i));
    }
  }
  return CheckPermutation(c.ev, TypeOfArray(x), permutation) ? Transpose(c.ev, x, permutation) : Value::Error();
}

// Dims that are not expanded keep their axes, whatever out_sharding asks.
bool KeepsShardings(Evaluator& ev, const ir::Type& type, llvm::ArrayRef<int64_t> dims, mesh::ShardingId out) {
  if (!out.valid() || !type.sharding.valid() || dims.size() < type.rank()) {
    return true;
  }
  const mesh::Sharding& have = ev.tracer().tables().shardings[type.sharding];
  const mesh::Sharding& want = ev.tracer().tables().shardings[out];
  size_t lead = dims.size() - type.rank();
  for (size_t d = 0; d < type.rank(); ++d) {
    if (!have.dims[d].axes.empty() && !(have.dims[d].axes == want.dims[d + lead].axes)) {
      ir::Type asked = ir::ArrayType(type.dtype, dims);
      asked.sharding = out;
      return !ev.Fail(diag::Kind::BroadcastClash,
                      "incompatible types for broadcasting: input type " + ShowType(ev, type) + " and requested type " +
                          ShowType(ev, asked),
                      "reshard the array first, or keep its axes in out_sharding")
                  .failed();
    }
  }
  return true;
}

Value BroadcastToOf(Call& c) {
  Value v[3];
  if (!c.Bind("array, shape, *, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims dims;
  mesh::ShardingId out;
  if (x.failed() || !c.ev.ToShape(v[1], dims) || !OutSharding(c.ev, v[2], dims.size(), "broadcast_to", out) ||
      !KeepsShardings(c.ev, TypeOfArray(x), dims, out)) {
    return Value::Error();
  }
  const ir::Type& type = TypeOfArray(x);
  bool good = type.rank() <= dims.size();
  for (size_t i = 0; good && i < type.rank(); ++i) {
    int64_t to = dims[dims.size() - type.rank() + i];
    good = type.dims[i] == to || type.dims[i] == 1;
  }
  if (!good) {
    return c.ev.Fail(diag::Kind::BroadcastClash, "Incompatible shapes for broadcasting: " + ShapeText(type.dims) +
                                                     " and requested shape " + ShapeText(dims));
  }
  return BroadcastTo(c.ev, x, dims, out);
}

Value LaxBroadcastInDim(Call& c) {
  Value v[4];
  if (!c.Bind("operand, shape, broadcast_dimensions, *, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims dims, broadcast_dims;
  mesh::ShardingId out;
  if (x.failed() || !c.ev.ToShape(v[1], dims) || !c.ev.ToInts(v[2], "broadcast_dimensions", broadcast_dims) ||
      !OutSharding(c.ev, v[3], dims.size(), "broadcast_in_dim", out)) {
    return Value::Error();
  }
  return BroadcastInDim(c.ev, x, dims, broadcast_dims, out);
}

// lax.broadcast(x, sizes): new leading dims.
Value LaxBroadcast(Call& c) {
  Value v[3];
  if (!c.Bind("operand, sizes, *, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims dims;
  mesh::ShardingId out;
  if (x.failed() || !c.ev.ToShape(v[1], dims)) {
    return Value::Error();
  }
  dims.append(TypeOfArray(x).dims.begin(), TypeOfArray(x).dims.end());
  return OutSharding(c.ev, v[2], dims.size(), "broadcast", out) ? BroadcastTo(c.ev, x, dims, out) : Value::Error();
}

// expand_dims(x, axis): axes count in the result. By broadcast_in_dim, as JAX does, which carries shardings along.
Value ExpandDims(Call& c) {
  for (auto& [name, value] : c.kwargs) {
    name = name == "dimensions" ? llvm::StringRef("axis") : name == "array" ? llvm::StringRef("a") : name;
  }
  Value v[2];
  if (!c.Bind("a, axis", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  tensor::Dims raw, axes;
  if (x.failed() || !c.ev.ToInts(v[1], "an axis", raw)) {
    return Value::Error();
  }
  size_t rank = TypeOfArray(x).rank() + raw.size();
  if (!c.ev.ToAxes(c.ev.heap().Ints(raw), rank, axes)) {
    return Value::Error();
  }
  tensor::Dims dims, broadcast_dims;
  size_t from = 0;
  for (size_t i = 0; i < rank; ++i) {
    bool is_new = llvm::is_contained(axes, static_cast<int64_t>(i));
    dims.push_back(is_new ? 1 : TypeOfArray(x).dims[from++]);
    if (!is_new) {
      broadcast_dims.push_back(static_cast<int64_t>(i));
    }
  }
  return BroadcastInDim(c.ev, x, dims, broadcast_dims);
}

Value Squeeze(Call& c) {
  for (auto& [name, value] : c.kwargs) {
    name = name == "dimensions" ? llvm::StringRef("axis") : name == "array" ? llvm::StringRef("a") : name;
  }
  Value v[2];
  if (!c.Bind("a, axis=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  if (x.failed()) {
    return x;
  }
  const ir::Type type = TypeOfArray(x);
  tensor::Dims axes;
  if (!v[1].none() && !c.ev.ToAxes(v[1], type.rank(), axes)) {
    return Value::Error();
  }
  tensor::Dims dims;
  for (size_t i = 0; i < type.rank(); ++i) {
    bool gone = v[1].none() ? type.dims[i] == 1 : llvm::is_contained(axes, static_cast<int64_t>(i));
    if (gone && type.dims[i] != 1) {
      return c.ev.Fail(diag::Kind::AxisRange,
                       "cannot select an axis to squeeze out which has size not equal to one, got shape=" +
                           ShapeText(type.dims) + " and dimensions=" + ShapeText(axes));
    }
    if (!gone) {
      dims.push_back(type.dims[i]);
    }
  }
  return Reshape(c.ev, x, dims);
}

// concatenate(xs, axis); lax.concatenate(xs, dimension) (data 1: no promotion).
Value Concatenate(Call& c) {
  Value v[3];
  std::vector<Value> items;
  bool lax = c.builtin.modules == kLax, concat = llvm::StringRef(c.builtin.name) == "concat";
  bool bound = lax      ? c.Bind("operands, dimension", llvm::MutableArrayRef<Value>(v, 2))
               : concat ? c.Bind("arrays, /, *, axis=", llvm::MutableArrayRef<Value>(v, 2))
                        : c.Bind("arrays, axis=, dtype=", v);
  if (!bound || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  if (items.empty()) {
    return c.ev.Fail(diag::Kind::Arguments, "concatenate() needs at least one array");
  }
  llvm::SmallVector<Value, 4> arrays;
  if ((lax && !HaveOneDType(c.ev, "lax.concatenate", items)) || !PromoteAll(c.ev, "concatenate", items, arrays)) {
    return Value::Error();
  }
  std::optional<tensor::DType> dtype;
  if (!v[2].none() && !(dtype = c.ev.ToDType(v[2]))) {
    return Value::Error();
  }
  for (Value& a : arrays) {
    a = dtype ? Convert(c.ev, a, *dtype) : a;
  }
  if (v[1].is(VK::None)) {
    for (Value& a : arrays) {
      a = Reshape(c.ev, a, {TypeOfArray(a).num_elements()});
      if (a.failed()) {
        return a;
      }
    }
  }
  for (const Value& a : arrays) {
    if (TypeOfArray(a).rank() == 0) {
      return c.ev.Fail(diag::Kind::ShapeRule, "zero-dimensional arrays cannot be concatenated");
    }
    if (TypeOfArray(a).rank() != TypeOfArray(arrays[0]).rank()) {
      return c.ev.Fail(diag::Kind::ShapeRule, "cannot concatenate arrays with different numbers of dimensions: got " +
                                                  ShapeText(TypeOfArray(arrays[0]).dims) + ", " +
                                                  ShapeText(TypeOfArray(a).dims));
    }
  }
  std::optional<int64_t> axis = v[1].none() ? 0 : c.ev.ToAxis(v[1], TypeOfArray(arrays[0]).rank());
  if (!axis) {
    return Value::Error();
  }
  if (arrays.size() == 1) {
    return arrays[0];
  }
  if (!AlignUnplaced(c.ev, arrays)) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(OpKind::Concatenate, arrays, c.ev.tracer().Attrs(ops::ConcatenateAttrs{*axis}),
                            arrays[0].as<ArrayObj>().weak);
}

// lax.slice(x, start_indices, limit_indices, strides=None)
Value LaxSlice(Call& c) {
  Value v[4];
  if (!c.Bind("operand, start_indices, limit_indices, strides=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  ops::SliceAttrs attrs;
  if (x.failed() || !c.ev.ToInts(v[1], "start_indices", attrs.starts) ||
      !c.ev.ToInts(v[2], "limit_indices", attrs.limits) ||
      (!v[3].none() && !c.ev.ToInts(v[3], "strides", attrs.strides))) {
    return Value::Error();
  }
  if (v[3].none()) {
    attrs.strides.assign(attrs.starts.size(), 1);
  }
  return c.ev.tracer().Emit(OpKind::Slice, x, c.ev.tracer().Attrs(std::move(attrs)), x.as<ArrayObj>().weak);
}

// lax.pad(x, value, ((low, high, interior), ...))
Value LaxPad(Call& c) {
  Value v[3];
  std::vector<Value> widths;
  if (!c.Bind("operand, padding_value, padding_config", v) || !c.ev.Iterate(v[2], widths)) {
    return Value::Error();
  }
  Value x[] = {ToArray(c.ev, v[0]), ToArray(c.ev, v[1])};
  if (x[0].failed() || x[1].failed() || !HaveOneDType(c.ev, "lax.pad", x)) {
    return Value::Error();
  }
  ops::PadAttrs attrs;
  for (const Value& width : widths) {
    tensor::Dims three;
    if (!c.ev.ToInts(width, "a padding", three)) {
      return Value::Error();
    }
    if (three.size() != 3) {
      return c.ev.Fail(diag::Kind::Arguments, "each dim of padding_config needs (low, high, interior)");
    }
    attrs.low.push_back(three[0]);
    attrs.high.push_back(three[1]);
    attrs.interior.push_back(three[2]);
  }
  return c.ev.tracer().Emit(OpKind::Pad, x, c.ev.tracer().Attrs(std::move(attrs)), x[0].as<ArrayObj>().weak);
}

// lax.rev(x, dimensions), flip(x, axis).
Value Reverse(Call& c) {
  for (auto& [name, value] : c.kwargs) {
    name = name == "dimensions" ? llvm::StringRef("axis") : name == "operand" ? llvm::StringRef("m") : name;
  }
  Value v[2];
  if (!c.Bind("m, axis=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  ops::ReverseAttrs attrs;
  if (x.failed() || !c.ev.ToAxes(v[1], TypeOfArray(x).rank(), attrs.dims)) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(OpKind::Reverse, x, c.ev.tracer().Attrs(std::move(attrs)), x.as<ArrayObj>().weak);
}

// Prelude: align_unplaced(arrays) as a list.
Value AlignUnplacedOf(Call& c) {
  std::vector<Value> arrays = Items(c.args[0]);
  return AlignUnplaced(c.ev, arrays) ? c.ev.heap().List(std::move(arrays)) : Value::Error();
}

const Builtin kShapeTable[] = {
    {kPreludeOnly, "align_unplaced", AlignUnplacedOf},
    {kJnp, "reshape", ReshapeOf, 0},
    {kMethod, "reshape", ReshapeOf, 1},
    {kLax, "reshape", LaxReshape},
    {kJnp, "ravel", Ravel},
    {kMethod, "ravel", Ravel},
    {kMethod, "flatten", Ravel},
    {kJnp, "transpose", TransposeOf},
    {kMethod, "transpose", TransposeOf},
    {kLax, "transpose", TransposeOf},
    {kJnp, "permute_dims", TransposeOf},
    {kJnp, "broadcast_to", BroadcastToOf},
    {kLax | kBare, "broadcast_in_dim", LaxBroadcastInDim},
    {kLax | kBare, "broadcast", LaxBroadcast},
    {kJnp, "expand_dims", ExpandDims},
    {kLax, "expand_dims", ExpandDims},
    {kJnp, "squeeze", Squeeze},
    {kLax, "squeeze", Squeeze},
    {kJnp, "concatenate", Concatenate, 0},
    {kJnp, "concat", Concatenate, 0},
    {kLax, "concatenate", Concatenate, 1},
    {kLax, "slice", LaxSlice},
    {kLax, "pad", LaxPad},
    {kLax | kBare, "rev", Reverse},
    {kJnp, "flip", Reverse},
};

}  // namespace

llvm::ArrayRef<Builtin> ShapeBuiltins() { return kShapeTable; }

}  // namespace spmdc::text::native
