// Arrays made of nothing or of static values.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "ops/constant.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

using tensor::DType;

bool DTypeArg(Call& c, const Value& v, DType fallback, DType& out, bool keys = false) {
  out = fallback;
  if (v.none()) {
    return true;
  }
  std::optional<DType> dtype = c.ev.ToDType(v, keys);
  out = dtype ? Canonical(c.ev, *dtype) : fallback;
  return dtype.has_value();
}

// zeros 0, ones 1, empty 0.
Value Filled(Call& c) {
  Value v[4];
  tensor::Dims dims;
  DType dtype;
  mesh::ShardingId out;
  if (!c.Bind("shape, dtype=, *, device=, out_sharding=", v) || !c.ev.ToShape(v[0], dims) ||
      !DTypeArg(c, v[1], DType::F32, dtype, true) || !OutSharding(c.ev, v[3], dims.size(), c.builtin.name, out)) {
    return Value::Error();
  }
  out = tensor::IsKey(dtype) ? mesh::ShardingId() : out;  // JAX makes keys whole
  return Full(c.ev, dtype, dims, static_cast<double>(c.builtin.data), false, out);
}

// full(shape, fill_value, dtype): the fill value may be an array.
Value FullOf(Call& c) {
  Value v[5];
  bool lax = c.builtin.modules == kLax;
  tensor::Dims dims;
  mesh::ShardingId out;
  if (!c.Bind(lax ? "shape, fill_value, dtype=, *, sharding=" : "shape, fill_value, dtype=, *, out_sharding=, device=",
              llvm::MutableArrayRef<Value>(v, lax ? 4 : 5)) ||
      !c.ev.ToShape(v[0], dims) || !OutSharding(c.ev, v[3], dims.size(), "full", out)) {
    return Value::Error();
  }
  std::optional<DType> dtype;
  if (!v[2].none() && !(dtype = c.ev.ToDType(v[2], true))) {
    return Value::Error();
  }
  if (dtype && tensor::IsKey(*dtype) && v[1].is_number() && !v[1].is(VK::Complex)) {
    return Full(c.ev, *dtype, dims, v[1].as_float(), false, out);
  }
  Value fill = v[1].is_sequence() ? c.ev.CallFunction(c.ev.FindIn(kJnp, "array"), v[1]) : v[1];
  Value array = ToArray(c.ev, fill, dtype);
  if (array.failed() || TypeOfArray(array).rank() > dims.size()) {
    return array.failed() ? array : c.ev.Fail(diag::Kind::BroadcastShape, "the fill value does not fit the shape");
  }
  return dims.empty() ? array : BroadcastTo(c.ev, array, dims, out);
}

// zeros_like 0, ones_like 1, empty_like 0, full_like 2.
Value FilledLike(Call& c) {
  Value v[6];
  bool full = c.builtin.data == 2;
  bool lax = c.builtin.modules == kLax, empty = llvm::StringRef(c.builtin.name) == "empty_like";
  bool bound = lax    ? c.Bind("x, fill_value, dtype=, shape=, sharding=, *, device=", v)
               : full ? c.Bind("a, fill_value, dtype=, shape=, *, out_sharding=, device=", v)
               : empty
                   ? c.Bind("prototype, dtype=, shape=, *, out_sharding=, device=", llvm::MutableArrayRef<Value>(v, 5))
                   : c.Bind("a, dtype=, shape=, *, out_sharding=, device=", llvm::MutableArrayRef<Value>(v, 5));
  if (!bound) {
    return Value::Error();
  }
  if (v[0].is_sequence() || v[0].is(VK::Dict)) {
    return c.ev.Fail(diag::Kind::ShapeRule,
                     std::string(c.builtin.name) + " requires arrays or scalars, got " + TypeName(v[0]),
                     "use jax.tree.map");
  }
  Value dtype_arg = full ? v[2] : v[1], shape_arg = full ? v[3] : v[2], sharding_arg = full ? v[4] : v[3];
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    Value like = ToArray(c.ev, leaf);
    DType dtype;
    if (like.failed() || !DTypeArg(c, dtype_arg, TypeOfArray(like).dtype, dtype, true)) {
      return Value::Error();
    }
    ir::Type type = TypeOfArray(like);
    bool weak = like.as<ArrayObj>().weak && dtype_arg.none();
    mesh::ShardingId out;
    if (!shape_arg.none()) {
      type.dims.clear();
      if (!c.ev.ToShape(shape_arg, type.dims)) {
        return Value::Error();
      }
    } else {
      // The result is sharded as the array is, where its axes are Explicit.
      out = OutLike(c.ev, type);
    }
    if (!OutSharding(c.ev, sharding_arg, type.dims.size(), c.builtin.name, out)) {
      return Value::Error();
    }
    Value filled;
    if (tensor::IsKey(dtype)) {
      out = {};  // JAX makes keys whole, whatever the array is sharded like
    }
    if (full && tensor::IsKey(dtype) && v[1].is_number() && !v[1].is(VK::Complex)) {
      filled = Full(c.ev, dtype, type.dims, v[1].as_float(), false, out);
    } else if (full) {
      Value fill = ToArray(c.ev, v[1], dtype);
      filled = fill.failed() || type.dims.empty() ? fill : BroadcastTo(c.ev, fill, type.dims, out);
    } else {
      filled = Full(c.ev, dtype, type.dims, static_cast<double>(c.builtin.data), weak, out);
    }
    return VaryLike(c.ev, filled, TypeOfArray(like));
  });
}

Value Iota(Evaluator& ev, DType dtype, llvm::ArrayRef<int64_t> dims, int64_t dim, mesh::ShardingId out = {}) {
  ops::IotaAttrs attrs;
  attrs.dtype = dtype;
  attrs.dims.assign(dims.begin(), dims.end());
  attrs.dim = dim;
  return ev.tracer().Emit(ir::OpKind::Iota, {}, ev.tracer().Attrs(std::move(attrs)), false, out);
}

// lax.iota(dtype, size), broadcasted_iota(dtype, shape, dimension) (1).
Value IotaOf(Call& c) {
  Value v[4];
  bool one = c.builtin.data == 0;
  bool bound = one ? c.Bind("dtype, size", llvm::MutableArrayRef<Value>(v, 2))
                   : c.Bind("dtype, shape, dimension, *, out_sharding=", v);
  DType dtype;
  tensor::Dims dims;
  mesh::ShardingId out;
  if (!bound || !DTypeArg(c, v[0], DType::S32, dtype) || !c.ev.ToShape(v[1], dims) ||
      !OutSharding(c.ev, v[3], dims.size(), c.builtin.name, out)) {
    return Value::Error();
  }
  std::optional<int64_t> dim = one ? 0 : c.ev.ToAxis(v[2], dims.size());
  return dim ? Iota(c.ev, dtype, dims, *dim, out) : Value::Error();
}

Value Arange(Call& c) {
  Value v[6];
  if (!c.Bind("start, stop=, step=, dtype=, *, device=, out_sharding=", v)) {
    return Value::Error();
  }
  Value start = v[1].none() ? Value::Int(0) : v[0];
  Value stop = v[1].none() ? v[0] : v[1];
  Value step = v[2].none() ? Value::Int(1) : v[2];
  bool ints = true;
  for (Value* x : {&start, &stop, &step}) {
    if (x->is(VK::Array) && !x->as<ArrayObj>().trace->top_level) {
      return c.ev.Fail(diag::Kind::StaticInt,
                       "arange() needs values that are known while the file is read, and got a traced array of type " +
                           ArrayText(x->as<ArrayObj>()));
    }
    if (x->is(VK::NdArray) && x->as<NdArrayObj>().value().size() == 1) {
      *x = Element(c.ev, x->as<NdArrayObj>().value(), 0);
    }
    if (!x->is_number() || x->is(VK::Complex)) {
      return c.ev.TypeError("arange() needs numbers, got " + TypeName(*x));
    }
    ints &= x->is_int();
  }
  if (step.as_float() == 0) {
    return c.ev.TypeError("arange() needs a step that is not 0");
  }
  double count = std::max(0.0, std::ceil((stop.as_float() - start.as_float()) / step.as_float()));
  if (!(count < 2147483648.0)) {
    return c.ev.Fail(diag::Kind::TooLarge, "arange() would have too many elements");
  }
  DType dtype;
  mesh::ShardingId out;
  if (!DTypeArg(c, v[3], ints ? DType::S32 : DType::F32, dtype) || !OutSharding(c.ev, v[5], 1, "arange", out)) {
    return Value::Error();
  }
  Value x = Iota(c.ev, dtype, {static_cast<int64_t>(count)}, 0, out);
  if (step.as_float() != 1 && !x.failed()) {
    x = c.ev.Binary(Operator::Mul, x, step);
  }
  if (start.as_float() != 0 && !x.failed()) {
    x = c.ev.Binary(Operator::Add, x, start);
  }
  return x.failed() ? x : Convert(c.ev, x, dtype);
}

bool AnyTraced(const Value& v) { return v.is(VK::Array) || (v.is_sequence() && llvm::any_of(Items(v), AnyTraced)); }

// jnp.array: nested sequences of numbers are a constant, of arrays are stacked.
Value ArrayFrom(Evaluator& ev, const Value& v, std::optional<DType> dtype) {
  if (!ev.CheckBounded(v)) {
    return Value::Error();
  }
  if (v.is_sequence() && AnyTraced(v)) {
    std::vector<Value> parts;
    for (const Value& item : Items(v)) {
      parts.push_back(ArrayFrom(ev, item, dtype));
      if (parts.back().failed()) {
        return Value::Error();
      }
    }
    return ev.CallFunction(ev.FindIn(kJnp, "stack"), ev.heap().List(std::move(parts)));
  }
  if (v.is_sequence() || v.is(VK::Range)) {
    std::optional<tensor::Literal> literal = ToLiteral(ev, v, std::nullopt);
    return literal ? ToArray(ev, ev.heap().Array(std::move(*literal)), dtype) : Value::Error();
  }
  return ToArray(ev, v, dtype);
}

Value Array(Call& c) {
  Value v[7];
  bool as = c.builtin.data == 1;
  if (!(as ? c.Bind("a, dtype=, order=, *, copy=, device=, out_sharding=, ndmin=", v)
           : c.Bind("object, dtype=, copy=, order=, ndmin=, *, out_sharding=, device=", v))) {
    return Value::Error();
  }
  std::optional<DType> dtype;
  if (!v[1].none() && !(dtype = c.ev.ToDType(v[1]))) {
    return Value::Error();
  }
  Value array = ArrayFrom(c.ev, v[0], dtype);
  if (!array.failed() && dtype && !CheckFits(c.ev, v[0], *dtype)) {
    return Value::Error();
  }
  const Value& ndmin = as ? v[6] : v[4];
  std::optional<int64_t> least = ndmin.none() ? 0 : c.ev.ToInt(ndmin, "ndmin");
  if (array.failed() || !least) {
    return Value::Error();
  }
  if (tensor::Dims dims = TypeOfArray(array).dims; *least > static_cast<int64_t>(dims.size())) {
    dims.insert(dims.begin(), static_cast<size_t>(*least) - dims.size(), 1);
    array = Reshape(c.ev, array, dims);
  }
  if (array.failed() || v[5].none()) {
    return array;
  }
  return c.ev.CallFunction(c.ev.FindIn(kSharding, "reshard"), {array, v[5]});
}

const Builtin kCreationTable[] = {
    {kJnp, "zeros", Filled, 0},
    {kJnp, "ones", Filled, 1},
    {kJnp, "empty", Filled, 0},
    {kLax, "empty", Filled, 0},
    {kJnp, "full", FullOf},
    {kLax, "full", FullOf},
    {kJnp, "zeros_like", FilledLike, 0},
    {kJnp, "ones_like", FilledLike, 1},
    {kJnp, "empty_like", FilledLike, 0},
    {kJnp, "full_like", FilledLike, 2},
    {kLax, "full_like", FilledLike, 2},
    {kLax | kBare, "iota", IotaOf, 0},
    {kLax | kBare, "broadcasted_iota", IotaOf, 1},
    {kJnp, "arange", Arange},
    {kJnp, "array", Array},
    {kJnp, "asarray", Array, 1},
    {kJnp, "Array", Array},
    {kJax, "Array", Array},
};

}  // namespace

llvm::ArrayRef<Builtin> CreationBuiltins() { return kCreationTable; }

}  // namespace spmdc::text::native
