// Functions over the order of elements: cumulative ones, argmax and argmin, sort, top_k; and bitcast_convert_type. Each makes
// the op that JAX lowers it to.
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "op/eval.h"
#include "ops/constant.h"
#include "ops/elementwise.h"
#include "ops/reduce.h"
#include "ops/reduce_window.h"
#include "ops/sort.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using ops::CompareType;
using ops::Direction;
using tensor::DType;

Value Compared(Tracer& tracer, const Value& a, const Value& b, Direction direction, CompareType type) {
  ops::CompareAttrs attrs;
  attrs.direction = direction;
  attrs.type = type;
  return tracer.Emit(OpKind::Compare, {a, b}, tracer.Attrs(attrs));
}

Value Compared(Tracer& tracer, const Value& a, const Value& b, Direction direction) {
  return Compared(tracer, a, b, direction, ops::NaturalCompareType(TypeOfArray(a).dtype));
}

// Whether a dim is sharded over Explicit axes; then `message` is said.
bool IsUnsharded(Evaluator& ev, const Value& x, int64_t dim, const std::string& message) {
  const ir::Type& type = TypeOfArray(x);
  bool sharded = type.sharding.valid() &&
                 !ev.tracer().tables().shardings[type.sharding].dims[static_cast<size_t>(dim)].axes.empty();
  return !sharded || !ev.Fail(diag::Kind::DimMustBeUnsharded, message, "reshard the operand first").failed();
}

// lax.cumsum(operand, axis, reverse) and its like: data is the monoid.
Value Cumulative(Call& c) {
  Value v[3];
  bool reverse = false;
  if (!c.Bind("operand, axis=, reverse=", v) || !c.ev.ToBool(v[2], "reverse", false, reverse)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  std::optional<int64_t> axis = v[1].given() ? c.ev.ToInt(v[1], "axis") : 0;
  if (x.failed() || !axis) {
    return Value::Error();
  }
  const ir::Type type = TypeOfArray(x);
  std::string name = c.builtin.name;
  if (*axis < 0 || *axis >= static_cast<int64_t>(type.rank())) {
    return c.ev.Fail(diag::Kind::AxisRange, "axis " + std::to_string(*axis) + " of " + name +
                                                " is out of bounds for an array of shape " + ShapeText(type.dims));
  }
  if (type.dtype == DType::Pred) {
    return c.ev.Fail(diag::Kind::DtypeRule, name + " does not accept dtype bool, only numbers");
  }
  if (!IsUnsharded(c.ev, x, *axis,
                   name + ": the input should be unsharded over the axis being reduced; it is " + ShowType(c.ev, type) +
                       ", and the axis " + std::to_string(*axis))) {
    return Value::Error();
  }
  int64_t size = type.dims[static_cast<size_t>(*axis)];
  if (size == 0) {
    return x;
  }
  llvm::SmallVector<ops::WindowDim, 4> windows(type.rank());
  ops::WindowDim& window = windows[static_cast<size_t>(*axis)];
  window.size = size;
  (reverse ? window.high : window.low) = size - 1;
  auto monoid = static_cast<mesh::Monoid>(c.builtin.data);
  Tracer& tracer = c.ev.tracer();
  Value seed = tracer.IdentityOf(monoid, type.dtype);
  return tracer.Emit(OpKind::ReduceWindow, {x, seed}, tracer.Attrs(ops::ReduceWindowAttrs::Of(windows)),
                     x.as<ArrayObj>().weak, {}, tracer.MonoidBody(monoid, type.dtype));
}

// An array that counts along a dim, sharded and varying as `like` is.
Value IotaLike(Evaluator& ev, const Value& like, DType dtype, int64_t dim) {
  const ir::Type type = TypeOfArray(like);
  ops::IotaAttrs attrs;
  attrs.dtype = dtype;
  attrs.dims = type.dims;
  attrs.dim = dim;
  Value iota = ev.tracer().Emit(OpKind::Iota, {}, ev.tracer().Attrs(std::move(attrs)), false, OutLike(ev, type));
  return VaryLike(ev, iota, type);
}

// Prelude: iota_like(x, dimension), of s32.
Value IotaLikeOf(Call& c) { return IotaLike(c.ev, c.args[0], DType::S32, c.args[1].i); }

// Of two elements with their places the one that comes first: the better, NaN above all, and of equal ones the lower place.
ir::FuncId FirstBody(Tracer& tracer, Direction better, DType value, DType place) {
  return tracer.ScalarBody("first", {value, place, value, place}, {}, [&](llvm::ArrayRef<Value> a) {
    // In braces, so that the order of the instructions is the text's.
    Value wins =
        tracer.Emit(OpKind::Or, {Compared(tracer, a[0], a[2], better), Compared(tracer, a[0], a[0], Direction::Ne)});
    Value ties = tracer.Emit(
        OpKind::And, {Compared(tracer, a[0], a[2], Direction::Eq), Compared(tracer, a[1], a[3], Direction::Lt)});
    Value takes = tracer.Emit(OpKind::Or, {wins, ties});
    return std::vector<Value>{tracer.Emit(OpKind::Select, {wins, a[0], a[2]}),
                              tracer.Emit(OpKind::Select, {takes, a[1], a[3]})};
  });
}

// lax.argmax(operand, axis, index_dtype), argmin (data 1).
Value ArgBest(Call& c) {
  Value v[3];
  if (!c.Bind("operand, axis, index_dtype", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  std::optional<int64_t> axis = x.failed() ? std::nullopt : c.ev.ToAxis(v[1], TypeOfArray(x).rank());
  std::optional<DType> dtype = axis ? c.ev.ToDType(v[2]) : std::nullopt;
  if (!dtype) {
    return Value::Error();
  }
  DType place = Canonical(c.ev, *dtype);
  if (!tensor::IsInteger(place)) {
    return c.ev.Fail(diag::Kind::DtypeRule,
                     "index_dtype must be an integer type, but got " + tensor::NumpyName(place).str());
  }
  const ir::Type type = TypeOfArray(x);
  if (type.dims[static_cast<size_t>(*axis)] < 1) {
    return c.ev.Fail(diag::Kind::ShapeRule, "argmin and argmax require a dim that is not empty, got axis " +
                                                std::to_string(*axis) + " of " + ShowType(c.ev, type));
  }
  bool least = c.builtin.data == 1;
  Tracer& tracer = c.ev.tracer();
  Value places = IotaLike(c.ev, x, place, *axis);
  if (places.failed()) {
    return places;
  }
  Value worst = tracer.IdentityOf(least ? mesh::Monoid::Min : mesh::Monoid::Max, type.dtype);
  Value zero = tracer.Constant(tensor::Literal::Integer(place, {}, 0));
  ir::FuncId body = FirstBody(tracer, least ? Direction::Lt : Direction::Gt, type.dtype, place);
  ops::ReduceAttrs attrs;
  attrs.dims = {*axis};
  auto out = tracer.EmitAll(OpKind::Reduce, {x, places, worst, zero}, tracer.Attrs(std::move(attrs)), body);
  return out ? (*out)[1] : Value::Error();
}

// A key as sort compares it: zeros of both signs are one, and all NaN are one.
Value SortKey(Tracer& tracer, const Value& x) {
  DType type = TypeOfArray(x).dtype;
  if (!tensor::IsFloat(type)) {
    return x;
  }
  Value zero = tracer.Constant(tensor::Literal::Number(type, {}, 0));
  Value nan = tracer.Constant(tensor::Literal::Number(type, {}, std::numeric_limits<double>::quiet_NaN()));
  Value key = tracer.Emit(OpKind::Select, {Compared(tracer, x, zero, Direction::Eq), zero, x});
  return tracer.Emit(OpKind::Select, {Compared(tracer, x, x, Direction::Ne), nan, key});
}

void AddSortKeys(Tracer& tracer, const Value& x, std::vector<Value>& keys) {
  if (!tensor::IsComplex(TypeOfArray(x).dtype)) {
    keys.push_back(SortKey(tracer, x));
    return;
  }
  for (OpKind part : {OpKind::Real, OpKind::Imag}) {
    keys.push_back(SortKey(tracer, tracer.Emit(part, x)));
  }
}

// Whether the first `num_keys` arrays' elements come before the others', in lexicographic order.
ir::FuncId LessBody(Tracer& tracer, llvm::ArrayRef<Value> arrays, size_t num_keys) {
  std::vector<DType> types;
  for (const Value& x : arrays) {
    types.insert(types.end(), 2, TypeOfArray(x).dtype);
  }
  return tracer.ScalarBody("less", types, {}, [&](llvm::ArrayRef<Value> a) {
    std::vector<Value> left, right;
    for (size_t i = 0; i < num_keys; ++i) {
      AddSortKeys(tracer, a[2 * i], left);
      AddSortKeys(tracer, a[2 * i + 1], right);
    }
    Value less;
    for (size_t i = left.size(); i-- > 0;) {
      DType dtype = TypeOfArray(left[i]).dtype;
      CompareType type = tensor::IsFloat(dtype) ? CompareType::TotalOrder : ops::NaturalCompareType(dtype);
      Value first = Compared(tracer, left[i], right[i], Direction::Lt, type);
      if (less.given()) {
        Value equal = Compared(tracer, left[i], right[i], Direction::Eq, type);
        first = tracer.Emit(OpKind::Or, {first, tracer.Emit(OpKind::And, {equal, less})});
      }
      less = first;
    }
    return std::vector<Value>{less};
  });
}

// lax.sort(operand, dimension, is_stable, num_keys): of an array, or of several by the first ones.
Value Sort(Call& c) {
  Value v[4];
  ops::SortAttrs attrs;
  if (!c.Bind("operand, dimension=, is_stable=, num_keys=", v) ||
      !c.ev.ToBool(v[2], "is_stable", true, attrs.is_stable)) {
    return Value::Error();
  }
  bool several = v[0].is_sequence();
  std::vector<Value> arrays;
  for (const Value& item : several ? Items(v[0]) : std::vector<Value>{v[0]}) {
    arrays.push_back(ToArray(c.ev, item));
    if (arrays.back().failed()) {
      return Value::Error();
    }
  }
  std::optional<int64_t> num_keys = v[3].given() ? c.ev.ToInt(v[3], "num_keys") : 1;
  if (!num_keys) {
    return Value::Error();
  }
  if (*num_keys < 1 || *num_keys > static_cast<int64_t>(arrays.size())) {
    return c.ev.Fail(diag::Kind::Arguments, "sort: num_keys is " + std::to_string(*num_keys) + ", for " +
                                                std::to_string(arrays.size()) + " arrays");
  }
  std::optional<int64_t> dim = c.ev.ToAxis(v[1].given() ? v[1] : Value::Int(-1), TypeOfArray(arrays[0]).rank());
  if (!dim) {
    return Value::Error();
  }
  attrs.dim = *dim;
  Tracer& tracer = c.ev.tracer();
  for (Value& x : arrays) {
    for (const Value& like : arrays) {
      x = VaryLike(c.ev, x, TypeOfArray(like));
    }
  }
  ir::FuncId body = LessBody(tracer, arrays, static_cast<size_t>(*num_keys));
  auto out = tracer.EmitAll(OpKind::Sort, arrays, tracer.Attrs(attrs), body);
  if (!out) {
    return Value::Error();
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    (*out)[i].as<ArrayObj>().weak = arrays[i].as<ArrayObj>().weak;
  }
  return several ? c.ev.heap().Tuple(std::move(*out)) : (*out)[0];
}

// Prelude: top_k_of_rows(x, k), along the last dim.
Value TopK(Call& c) {
  Value v[2];
  if (!c.Bind("operand, k", v)) {
    return Value::Error();
  }
  std::optional<int64_t> k = c.ev.ToInt(v[1], "k");
  if (!k) {
    return Value::Error();
  }
  auto out = c.ev.tracer().EmitAll(OpKind::TopK, v[0], c.ev.tracer().Attrs(ops::TopKAttrs{*k}));
  if (!out) {
    return Value::Error();
  }
  for (Value& result : *out) {
    result.as<ArrayObj>().weak = v[0].as<ArrayObj>().weak;
  }
  return c.ev.heap().Tuple(std::move(*out));
}

// lax.bitcast_convert_type(operand, new_dtype)
Value Bitcast(Call& c) {
  Value v[2];
  if (!c.Bind("operand, new_dtype", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  std::optional<DType> dtype = x.failed() ? std::nullopt : c.ev.ToDType(v[1], true);
  if (!dtype) {
    return Value::Error();
  }
  ops::ConvertAttrs attrs;
  attrs.dtype = Canonical(c.ev, *dtype);
  if (attrs.dtype == TypeOfArray(x).dtype && attrs.dtype == DType::Pred) {
    return x;
  }
  return c.ev.tracer().Emit(OpKind::BitcastConvert, x, c.ev.tracer().Attrs(attrs));
}

const Builtin kOrder[] = {
    {kLax, "cumsum", Cumulative, DataOf(mesh::Monoid::Sum)},
    {kLax, "cumprod", Cumulative, DataOf(mesh::Monoid::Product)},
    {kLax | kBare, "cummax", Cumulative, DataOf(mesh::Monoid::Max)},
    {kLax | kBare, "cummin", Cumulative, DataOf(mesh::Monoid::Min)},
    {kLax, "argmax", ArgBest, 0},
    {kLax, "argmin", ArgBest, 1},
    {kLax, "sort", Sort},
    {kPreludeOnly, "iota_like", IotaLikeOf},
    {kPreludeOnly, "top_k_of_rows", TopK},
    {kLax | kBare, "bitcast_convert_type", Bitcast},
};

}  // namespace

llvm::ArrayRef<Builtin> OrderBuiltins() { return kOrder; }

}  // namespace spmdc::text::native
