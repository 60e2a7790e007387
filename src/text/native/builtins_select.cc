// Functions of jnp and lax that choose between arrays, convert their elements or leave them as they are.
#include "llvm/ADT/STLExtras.h"
#include "ops/elementwise.h"
#include "text/native/elementwise_args.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::DType;

// select of a predicate and two cases. What has no mesh yet goes with what has: cases with each other, the predicate with
// them (jax/_src/lax/lax.py, _select_sharding_rule).
Value EmitSelect(Evaluator& ev, llvm::ArrayRef<Value> operands, bool weak) {
  llvm::SmallVector<Value, 3> all(operands.begin(), operands.end());
  if (!AlignUnplaced(ev, llvm::MutableArrayRef<Value>(all).drop_front())) {
    return Value::Error();
  }
  auto unplaced = [](const Value& v) { return v.as<ArrayObj>().unplaced; };
  const ir::Type which = TypeOfArray(all[0]), on_true = TypeOfArray(all[1]);
  bool no_mesh = unplaced(all[1]) && unplaced(all[2]);
  if (which.rank() > 0 && which.sharding.valid() && no_mesh) {
    const mesh::Sharding& s = ev.tracer().tables().shardings[which.sharding];
    all[0] = ShardedLike(ev, all[0], ev.tracer().tables().shardings.Intern(mesh::Replicated(s.mesh, which.rank())));
  } else if (which.rank() == on_true.rank() && unplaced(all[0]) && on_true.sharding.valid()) {
    all[0] = ShardedLike(ev, all[0], on_true.sharding);
  }
  return all[0].failed() ? all[0] : ev.tracer().Emit(OpKind::Select, all, {}, weak);
}

// where(condition, x, y): the condition becomes pred, x and y are promoted, all broadcast.
Value Where(Call& c) {
  Value v[5];
  if (!c.Bind("condition, /, x=, y=, *, size=, fill_value=", v)) {
    return Value::Error();
  }
  auto missing = [](const Value& x) { return !x.given() || x.none(); };
  if (missing(v[1]) && missing(v[2])) {
    return c.ev.CallFunction(c.ev.FindIn(kJnp, "nonzero"), v[0], {{"size", v[3]}, {"fill_value", v[4]}});
  }
  if (missing(v[1]) || missing(v[2])) {
    return c.ev.Fail(diag::Kind::Arguments, "where() takes both x and y, or neither of them");
  }
  llvm::SmallVector<Value, 2> x;
  llvm::SmallVector<Value, 1> condition;
  if (!PromoteAll(c.ev, "where", v[0], condition) || !PromoteAll(c.ev, "where", {v[1], v[2]}, x)) {
    return Value::Error();
  }
  Value p = NotZero(c.ev, condition[0]);
  if (p.failed()) {
    return p;
  }
  llvm::SmallVector<Value, 3> all{p, x[0], x[1]};
  // A scalar condition is taken as it is.
  bool scalar = TypeOfArray(p).rank() == 0;
  llvm::MutableArrayRef<Value> broadcast = llvm::MutableArrayRef<Value>(all).drop_front(scalar ? 1 : 0);
  return BroadcastTogether(c.ev, "where", broadcast) ? EmitSelect(c.ev, all, x[0].as<ArrayObj>().weak) : Value::Error();
}

// lax.select(pred, on_true, on_false): strict.
Value Select(Call& c) {
  Value v[3];
  llvm::SmallVector<Value, 2> x;
  if (!c.Bind("pred, on_true, on_false", v) || !StrictArrays(c, {v[1], v[2]}, x)) {
    return Value::Error();
  }
  Value p = ToArray(c.ev, v[0]);
  if (p.failed()) {
    return p;
  }
  DType which = TypeOfArray(p).dtype;
  if (which != DType::Pred && which != DType::S32) {
    return c.ev.Fail(diag::Kind::DtypeRule,
                     "the predicate of select must be bool or int32, got " + tensor::NumpyName(which).str());
  }
  p = NotZero(c.ev, p);
  if (p.failed()) {
    return p;
  }
  if (TypeOfArray(x[0]).dims != TypeOfArray(x[1]).dims) {
    return c.ev.Fail(diag::Kind::ShapeRule, "select cases must have the same shapes, got " +
                                                ShapeText(TypeOfArray(x[0]).dims) + " and " +
                                                ShapeText(TypeOfArray(x[1]).dims));
  }
  return EmitSelect(c.ev, {p, x[0], x[1]}, x[0].as<ArrayObj>().weak && x[1].as<ArrayObj>().weak);
}

// lax.clamp(min, x, max): bounds are scalars or of x's shape.
Value Clamp(Call& c) {
  Value v[3];
  llvm::SmallVector<Value, 3> x;
  if (!c.Bind("min, x, max", v) || !StrictArrays(c, v, x)) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(OpKind::Clamp, x, {}, x[1].as<ArrayObj>().weak);
}

// astype(x, dtype), lax.convert_element_type: data 1 keeps nothing weak either.
Value AsType(Call& c) {
  Value v[4];
  bool lax = (c.builtin.modules & kLax) != 0;
  if (!(lax ? c.Bind("operand, new_dtype", llvm::MutableArrayRef<Value>(v, 2))
            : c.Bind("x, dtype, /, *, copy=, device=", v))) {
    return Value::Error();
  }
  std::optional<DType> dtype = v[1].none() ? std::optional(DType::F32) : c.ev.ToDType(v[1]);
  Value x = dtype ? ToArray(c.ev, v[0]) : Value::Error();
  return x.failed() ? x : Convert(c.ev, x, Canonical(c.ev, *dtype));
}

Value ReducePrecision(Call& c) {
  Value v[3];
  if (!c.Bind("operand, exponent_bits, mantissa_bits", v)) {
    return Value::Error();
  }
  std::optional<int64_t> e = c.ev.ToInt(v[1], "exponent_bits"), m = c.ev.ToInt(v[2], "mantissa_bits");
  Value x = e && m ? ToArray(c.ev, v[0]) : Value::Error();
  return x.failed() ? x
                    : c.ev.tracer().Emit(OpKind::ReducePrecision, x,
                                         c.ev.tracer().Attrs(ops::ReducePrecisionAttrs{*e, *m}), x.as<ArrayObj>().weak);
}

// x itself: stop_gradient, copy (data 1), positive (2), block_until_ready.
Value Identity(Call& c) {
  Value v[2];
  bool bound = c.builtin.data == 1   ? c.Bind("a, order=", v)
               : c.builtin.data == 2 ? c.Bind("x, /", llvm::MutableArrayRef<Value>(v, 1))
                                     : c.Bind("x", llvm::MutableArrayRef<Value>(v, 1));
  return bound ? MapLeafArrays(c.ev, v[0]) : Value::Error();
}

// promote_types(a, b) and result_type(*args): static dtypes.
Value ResultTypeOf(Call& c) {
  Value v[2];
  bool bound = c.builtin.data == 1 ? c.Bind("a, b", v) : c.Bind("*args", llvm::MutableArrayRef<Value>(v, 1));
  for (const Value& x : c.args) {
    if (c.builtin.data == 1 && x.is(VK::DType) && !c.ev.ToDType(x)) {
      return Value::Error();
    }
  }
  std::optional<DTypeWeak> type = bound ? ResultType(c.ev, c.args) : std::nullopt;
  return type ? Value::DType(type->dtype) : Value::Error();
}

// x.block_until_ready(): only what has a value can be waited for.
Value BlockUntilReady(Call& c) {
  Value v[1];
  if (!c.Bind("x", v)) {
    return Value::Error();
  }
  bool traced = v[0].is(VK::Array) && !v[0].as<ArrayObj>().trace->top_level;
  return traced ? c.ev.Fail(diag::Kind::Attribute,
                            "the 'block_until_ready' method is not available on a traced array of type " +
                                ArrayText(v[0].as<ArrayObj>()))
                : v[0];
}

const Builtin kSelectTable[] = {
    {kJnp, "where", Where},
    {kLax, "select", Select},
    {kLax, "clamp", Clamp},
    {kBare, "clamp", Clamp},
    {kJnp | kMethod, "astype", AsType},
    {kLax | kBare, "convert_element_type", AsType},
    {kLax, "reduce_precision", ReducePrecision},
    {kJnp, "positive", Identity, 2},
    {kLax, "stop_gradient", Identity},
    {kJnp | kMethod, "copy", Identity, 1},
    {kMethod, "block_until_ready", BlockUntilReady},
    {kJax, "block_until_ready", Identity},
    {kJnp, "promote_types", ResultTypeOf, 1},
    {kJnp, "result_type", ResultTypeOf},
};

}  // namespace

llvm::ArrayRef<Builtin> SelectBuiltins() { return kSelectTable; }

}  // namespace spmdc::text::native
