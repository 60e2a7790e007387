// Loops: while_loop, fori_loop, scan.
#include "llvm/ADT/STLExtras.h"
#include "ops/control.h"
#include "ops/gather.h"
#include "text/native/body.h"
#include "text/native/evaluator.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::DType;

// What makes two types agree that differ in their shardings alone.
std::string WayToAgree(Evaluator& ev, const ir::Type& in, const ir::Type& out) {
  auto varying = [&](const ir::Type& type) {
    return type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding].varying : mesh::AxisList();
  };
  mesh::AxisList more = mesh::Subtract(varying(out), varying(in));
  if (varying(in) == varying(out)) {
    return "reshard the output, or the initial value, so that the shardings agree";
  }
  if (more.empty()) {
    return "make the output vary as the input does, with pcast(x, axes, to='varying')";
  }
  const mesh::Mesh& mesh = ev.tracer().tables().meshes[ev.tracer().tables().shardings[out.sharding].mesh];
  std::string names;
  for (const mesh::AxisRef& ref : more) {
    names += (names.empty() ? "'" : ", '") + mesh::ToString(mesh, ref) + "'";
  }
  return "make the initial value vary too: pcast(init, (" + names + ",), to='varying')";
}

// What a carry came out as against what went in. A weak input that comes out as another element type takes the one that both
// promote to, and is weak no longer: then `again` is set. Weakness alone makes no difference; the loop's results are as weak
// as what comes out of the body.
bool CheckCarry(Evaluator& ev, llvm::StringRef function, const Value& init, std::vector<Value>& in,
                const Value& out_tree, const std::vector<Value>& out, bool& again) {
  std::string why;
  if (!SameStructure(init, out_tree, why)) {
    return !ev.Fail(diag::Kind::CarryMismatch,
                    function.str() + ": the carry's input and output differ in structure: " + why)
                .failed();
  }
  again = false;
  for (size_t i = 0; i < in.size(); ++i) {
    const ir::Type a = TypeOfArray(in[i]);
    const ir::Type& b = TypeOfArray(out[i]);
    if (a == b) {
      continue;
    }
    // An argument of which nothing was said takes the sharding that the body gives it.
    if (in[i].as<ArrayObj>().unplaced && a.dims == b.dims && a.dtype == b.dtype && b.sharding.valid()) {
      in[i] = ShardedLike(ev, in[i], b.sharding);
      again = true;
      if (in[i].failed()) {
        return false;
      }
      continue;
    }
    bool only_dtype = a.dims == b.dims && a.sharding == b.sharding;
    if (in[i].as<ArrayObj>().weak && only_dtype) {
      auto both = Promote(ev, {DTypeWeak{a.dtype, true}, DTypeWeak{b.dtype, out[i].as<ArrayObj>().weak}});
      if (!both) {
        return false;
      }
      in[i] = Convert(ev, in[i], both->dtype, false);
      again = true;
      continue;
    }
    return !ev.Fail(diag::Kind::CarryMismatch,
                    function.str() + ": carry input and carry output must have equal types, but component " +
                        std::to_string(i) + " goes in as " + ShowType(ev, a) + " and comes out as " + ShowType(ev, b),
                    a.dims == b.dims && a.dtype == b.dtype ? WayToAgree(ev, a, b) : "")
                .failed();
  }
  return true;
}

// `outs` are the body's results.
Value EmitWhile(Evaluator& ev, std::vector<Value> carried, const std::vector<Value>& captured, TracedBody& cond,
                TracedBody& step, llvm::ArrayRef<Value> outs, std::vector<Value>& results) {
  ops::WhileAttrs attrs;
  attrs.num_carried = static_cast<int64_t>(carried.size());
  std::vector<Value> operands = carried;
  operands.insert(operands.end(), captured.begin(), captured.end());
  auto out = ev.tracer().EmitAll(OpKind::While, operands, ev.tracer().Attrs(attrs),
                                 {cond.trace->function, step.trace->function});
  if (!out) {
    return Value::Error();
  }
  results = *out;
  for (size_t i = 0; i < results.size(); ++i) {
    MarkLike(ev, results[i], outs[i]);
  }
  return Value::None();
}

// The arguments of a loop's condition. It sees a value of which nothing was said as JAX's does, unsharded, also where the
// loop's body gives it a sharding.
std::vector<Value> AsGiven(Evaluator& ev, TracedBody& cond, llvm::ArrayRef<Value> given) {
  std::vector<Value> args = cond.args;
  Tracer::Scope scope(ev.tracer(), *cond.trace);
  for (size_t i = 0; i < args.size(); ++i) {
    const ir::Type type = TypeOfArray(args[i]);
    if (given[i].as<ArrayObj>().unplaced && type.sharding.valid()) {
      auto& shardings = ev.tracer().tables().shardings;
      mesh::Sharding whole = mesh::Replicated(shardings[type.sharding].mesh, type.rank());
      args[i] = ShardedLike(ev, args[i], shardings.Intern(whole));
    }
  }
  return args;
}

Value WhileLoop(Call& c) {
  Value v[3];
  std::vector<Value> init;
  if (!c.Bind("cond_fun, body_fun, init_val", v) || !ArrayLeaves(c.ev, v[2], init)) {
    return Value::Error();
  }
  const std::vector<Value> given = init;
  for (int round = 0; round < 3; ++round) {
    TracedBody cond = NewBodyLike(c.ev, BodyName(c.ev, v[0], "cond"), init);
    TracedBody step = NewBodyLike(c.ev, BodyName(c.ev, v[1], "body"), init);
    if (!RunBody(c.ev, cond, "while_loop", v[0], Unflatten(c.ev, v[2], AsGiven(c.ev, cond, given))) ||
        !RunBody(c.ev, step, "while_loop", v[1], Unflatten(c.ev, v[2], step.args))) {
      return Value::Error();
    }
    bool scalar = cond.leaves.size() == 1 && !cond.result.is_sequence() &&
                  TypeOfArray(cond.leaves[0]).dtype == DType::Pred && TypeOfArray(cond.leaves[0]).rank() == 0;
    if (!scalar) {
      return c.ev.Fail(
          diag::Kind::ControlFlowForm,
          "cond_fun must return a boolean scalar" +
              (cond.leaves.empty() ? std::string() : ", but returns " + ShowType(c.ev, TypeOfArray(cond.leaves[0]))));
    }
    bool again = false;
    if (!CheckCarry(c.ev, "while_loop", v[2], init, step.result, step.leaves, again)) {
      return Value::Error();
    }
    if (again) {
      continue;
    }
    TracedBody* bodies[] = {&cond, &step};
    std::vector<Value> captured = FinishBodies(c.ev, bodies, {cond.leaves, step.leaves});
    std::vector<Value> results;
    return EmitWhile(c.ev, init, captured, cond, step, step.leaves, results).failed() ? Value::Error()
                                                                                      : Unflatten(c.ev, v[2], results);
  }
  return c.ev.Fail(diag::Kind::CarryMismatch, "while_loop: the types of the carry do not settle");
}

// The condition i < limit of a counted loop, whose first carried value is i.
void CountedCondition(Evaluator& ev, TracedBody& cond, const Value& limit, std::vector<Value>& result) {
  Tracer::Scope scope(ev.tracer(), *cond.trace);
  result = {ev.Compare(Operator::Lt, cond.args[0], limit)};
}

// The bounds of fori_loop in one integer type; a static one takes the other's. The index is weak where it starts from a
// static number, as JAX's is.
bool AlignBounds(Evaluator& ev, const Value& first, const Value& last, Value& lower, Value& upper) {
  auto is_static = [](const Value& v) { return !v.is(VK::Array); };
  auto is_signed = [](const Value& v) { return tensor::Class(TypeOfArray(v).dtype) == tensor::DClass::Signed; };
  DType a = TypeOfArray(lower).dtype, b = TypeOfArray(upper).dtype;
  bool weak_a = lower.as<ArrayObj>().weak, weak_b = upper.as<ArrayObj>().weak;
  if (a != b && !(is_signed(lower) && is_signed(upper) && weak_a != weak_b)) {
    return !ev.Fail(diag::Kind::DtypeRule, "the lower and upper bounds of fori_loop must have equal types, got " +
                                               tensor::NumpyName(a).str() + " and " + tensor::NumpyName(b).str())
                .failed();
  }
  DType dtype = weak_a ? b : a;
  bool weak = is_static(first) && is_static(last) ? true : weak_a && a == dtype;
  lower = Convert(ev, lower, dtype, weak);
  upper = Convert(ev, upper, dtype);
  return !lower.failed() && !upper.failed();
}

Value ForiLoop(Call& c) {
  Value v[5];
  std::vector<Value> init;
  if (!c.Bind("lower, upper, body_fun, init_val, *, unroll=", v) || !ArrayLeaves(c.ev, v[3], init)) {
    return Value::Error();
  }
  Value lower = ToArray(c.ev, v[0]), upper = lower.failed() ? lower : ToArray(c.ev, v[1]);
  if (upper.failed()) {
    return upper;
  }
  if (!AlignBounds(c.ev, v[0], v[1], lower, upper)) {
    return Value::Error();
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<Value> carried{lower};
    carried.insert(carried.end(), init.begin(), init.end());
    TracedBody cond = NewBodyLike(c.ev, "cond", carried);
    TracedBody step = NewBodyLike(c.ev, "body", carried);
    Value state = Unflatten(c.ev, v[3], llvm::ArrayRef<Value>(step.args).drop_front());
    if (!RunBody(c.ev, step, "fori_loop", v[2], {step.args[0], state})) {
      return Value::Error();
    }
    bool again = false;
    if (!CheckCarry(c.ev, "fori_loop", v[3], init, step.result, step.leaves, again)) {
      return Value::Error();
    }
    if (again) {
      continue;
    }
    std::vector<Value> condition, next;
    CountedCondition(c.ev, cond, v[1].is_number() ? v[1] : upper, condition);
    {
      Tracer::Scope scope(c.ev.tracer(), *step.trace);
      next.push_back(c.ev.Binary(Operator::Add, step.args[0], Value::Int(1)));
    }
    next.insert(next.end(), step.leaves.begin(), step.leaves.end());
    if (condition[0].failed() || next[0].failed()) {
      return Value::Error();
    }
    TracedBody* bodies[] = {&cond, &step};
    std::vector<Value> captured = FinishBodies(c.ev, bodies, {condition, next});
    std::vector<Value> results;
    if (EmitWhile(c.ev, carried, captured, cond, step, next, results).failed()) {
      return Value::Error();
    }
    return Unflatten(c.ev, v[3], llvm::ArrayRef<Value>(results).drop_front());
  }
  return c.ev.Fail(diag::Kind::CarryMismatch, "fori_loop: the types of the carry do not settle");
}

// The length of a scan: of `length` and of the leading dims, which must agree.
std::optional<int64_t> ScanLength(Evaluator& ev, const std::vector<Value>& xs, const Value& given) {
  std::optional<int64_t> length;
  if (!given.none() && !(length = ev.ToInt(given, "the length of a scan"))) {
    return std::nullopt;
  }
  std::string sizes;
  bool agree = true;
  for (const Value& x : xs) {
    const ir::Type& type = TypeOfArray(x);
    if (type.rank() == 0) {
      ev.Fail(diag::Kind::ScanLength, "scan got a value with no leading axis to scan over: " + ShowType(ev, type));
      return std::nullopt;
    }
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(type.dims[0]);
    length = length.value_or(type.dims[0]);
    agree &= *length == type.dims[0];
    if (type.sharding.valid() && !ev.tracer().tables().shardings[type.sharding].dims[0].axes.empty()) {
      ev.Fail(diag::Kind::DimMustBeUnsharded, "dim 0 of scanned arrays must be unsharded, got " + ShowType(ev, type),
              "reshard the array so that dim 0 has no mesh axis");
      return std::nullopt;
    }
  }
  if (!agree) {
    ev.Fail(diag::Kind::ScanLength, given.none() ? "scan got values with different leading axis sizes: " + sizes
                                                 : "scan got 'length' argument of " + std::to_string(*length) +
                                                       " which disagrees with leading axis sizes [" + sizes + "]");
    return std::nullopt;
  }
  if (!length) {
    ev.Fail(diag::Kind::ScanLength, "scan needs arrays to scan over or a length");
  }
  return length;
}

std::vector<Value> StartsAt(Evaluator& ev, const Value& i, size_t rank) {
  std::vector<Value> starts{i};
  for (size_t d = 1; d < rank; ++d) {
    starts.push_back(ev.tracer().S32(0));
  }
  return starts;
}

// xs[i] within a body.
Value TakeRow(Evaluator& ev, const Value& x, const Value& i) {
  const ir::Type type = TypeOfArray(x);
  ops::DynamicSliceAttrs attrs;
  attrs.sizes = type.dims;
  attrs.sizes[0] = 1;
  std::vector<Value> operands{x};
  for (const Value& s : StartsAt(ev, i, type.rank())) {
    operands.push_back(s);
  }
  Value row =
      ev.tracer().Emit(OpKind::DynamicSlice, operands, ev.tracer().Attrs(std::move(attrs)), x.as<ArrayObj>().weak);
  tensor::Dims dims(type.dims.begin() + 1, type.dims.end());
  return Reshape(ev, row, dims);
}

// buffer[i] = y within a body.
Value PutRow(Evaluator& ev, const Value& buffer, const Value& y, const Value& i) {
  const ir::Type type = TypeOfArray(buffer);
  tensor::Dims dims = type.dims;
  dims[0] = 1;
  tensor::Dims broadcast_dims;
  for (size_t d = 1; d < dims.size(); ++d) {
    broadcast_dims.push_back(static_cast<int64_t>(d));
  }
  std::vector<Value> operands{buffer, BroadcastInDim(ev, y, dims, broadcast_dims)};
  for (const Value& s : StartsAt(ev, i, type.rank())) {
    operands.push_back(s);
  }
  return ev.tracer().Emit(OpKind::DynamicUpdateSlice, operands, {}, y.as<ArrayObj>().weak);
}

// [n] in front of a type; the new dim is unsharded.
ir::Type Stacked(Evaluator& ev, ir::Type type, int64_t n) {
  type.dims.insert(type.dims.begin(), n);
  if (type.sharding.valid()) {
    mesh::Sharding s = ev.tracer().tables().shardings[type.sharding];
    s.dims.insert(s.dims.begin(), mesh::DimSharding());
    type.sharding = ev.tracer().tables().shardings.Intern(s);
  }
  return type;
}

struct ScanArgs {
  Value f, init, xs;
  std::vector<Value> carry, columns;
  int64_t length = 0;
  bool reverse = false;
  // Rows of the results' buffers: a scan over nothing has one row that nobody writes.
  int64_t rows() const { return std::max<int64_t>(length, 1); }
};

// y[:0]
Value NoRows(Evaluator& ev, const Value& y) {
  auto* none = ev.heap().New<SliceObj>();
  none->start = none->step = Value::None();
  none->stop = Value::Int(0);
  return ArrayGetItem(ev, y, Value::Object(VK::Slice, none));
}

// One way through: the body with the carry's present types. `again` asks for another with changed ones.
Value ScanOnce(Evaluator& ev, ScanArgs& a, bool& again) {
  std::vector<Value> carried{ev.tracer().S32(0)};
  carried.insert(carried.end(), a.carry.begin(), a.carry.end());
  TracedBody step = NewBodyLike(ev, "body", carried);
  std::vector<Value> rows;
  Value index = step.args[0];
  {
    Tracer::Scope scope(ev.tracer(), *step.trace);
    if (a.reverse) {
      index = ev.Binary(Operator::Sub, Value::Int(a.length - 1), index);
      index = index.failed() ? index : Convert(ev, index, DType::S32);
    }
    for (const Value& x : a.columns) {
      rows.push_back(index.failed() ? index : TakeRow(ev, x, index));
      if (rows.back().failed()) {
        return Value::Error();
      }
    }
  }
  Value state = Unflatten(ev, a.init, llvm::ArrayRef<Value>(step.args).drop_front());
  if (!RunBody(ev, step, "scan", a.f, {state, a.xs.none() ? Value::None() : Unflatten(ev, a.xs, rows)})) {
    return Value::Error();
  }
  if (!step.result.is(VK::Tuple) || Items(step.result).size() != 2) {
    return ev.Fail(diag::Kind::ControlFlowForm,
                   "the body of a scan must return a pair (carry, y), got " +
                       (step.result.is(VK::Array) ? "an array of type " + ShowType(ev, TypeOfArray(step.result))
                                                  : TypeName(step.result)));
  }
  std::vector<Value> out, ys;
  Leaves(Items(step.result)[0], out);
  Leaves(Items(step.result)[1], ys);
  if (!CheckCarry(ev, "scan", a.init, a.carry, Items(step.result)[0], out, again) || again) {
    return Value::None();
  }
  // Results are collected in buffers that are carried along.
  std::vector<Value> next;
  for (const Value& y : ys) {
    ir::Type type = Stacked(ev, TypeOfArray(y), a.rows());
    carried.push_back(VaryLike(ev, Full(ev, type.dtype, type.dims, 0, false, OutLike(ev, type)), type));
    Value buffer = carried.back().failed() ? carried.back() : AddBodyArg(ev, step, TypeOfArray(carried.back()), false);
    Tracer::Scope scope(ev.tracer(), *step.trace);
    out.push_back(buffer.failed() ? buffer : PutRow(ev, buffer, y, index));
    if (out.back().failed()) {
      return Value::Error();
    }
  }
  {
    Tracer::Scope scope(ev.tracer(), *step.trace);
    next.push_back(ev.Binary(Operator::Add, step.args[0], Value::Int(1)));
  }
  next.insert(next.end(), out.begin(), out.end());
  TracedBody cond = NewBodyLike(ev, "cond", carried);
  std::vector<Value> condition;
  CountedCondition(ev, cond, Value::Int(a.length), condition);
  if (ev.has_failed()) {
    return Value::Error();
  }
  TracedBody* bodies[] = {&cond, &step};
  std::vector<Value> captured = FinishBodies(ev, bodies, {condition, next});
  std::vector<Value> results;
  if (EmitWhile(ev, carried, captured, cond, step, next, results).failed()) {
    return Value::Error();
  }
  llvm::ArrayRef<Value> all(results);
  std::vector<Value> stacked(all.begin() + 1 + static_cast<long>(a.carry.size()), all.end());
  for (Value& y : stacked) {
    y = a.length == 0 ? NoRows(ev, y) : y;
  }
  return ev.heap().Tuple(
      {Unflatten(ev, a.init, all.slice(1, a.carry.size())), Unflatten(ev, Items(step.result)[1], stacked)});
}

Value Scan(Evaluator& ev, ScanArgs a) {
  // Over nothing, the body is still traced, for its types: on rows of zeros.
  for (Value& x : a.columns) {
    if (a.length == 0 && !x.failed()) {
      ir::Type type = TypeOfArray(x);
      type.dims[0] = 1;
      x = VaryLike(ev, Full(ev, type.dtype, type.dims, 0, x.as<ArrayObj>().weak, OutLike(ev, type)), type);
    }
  }
  for (int round = 0; round < 3; ++round) {
    bool again = false;
    Value result = ScanOnce(ev, a, again);
    if (ev.has_failed() || !again) {
      return ev.has_failed() ? Value::Error() : result;
    }
  }
  return ev.Fail(diag::Kind::CarryMismatch, "scan: the types of the carry do not settle");
}

Value ScanOf(Call& c) {
  Value v[7];
  ScanArgs a;
  if (!c.Bind("f, init, xs=, length=, reverse=, unroll=, _split_transpose=", v) ||
      !c.ev.ToBool(v[4], "reverse", false, a.reverse)) {
    return Value::Error();
  }
  a.f = v[0];
  a.init = v[1];
  a.xs = v[2].given() ? v[2] : Value::None();
  if (!ArrayLeaves(c.ev, a.init, a.carry) || !ArrayLeaves(c.ev, a.xs, a.columns)) {
    return Value::Error();
  }
  std::optional<int64_t> length = ScanLength(c.ev, a.columns, v[3]);
  if (!length) {
    return Value::Error();
  }
  a.length = *length;
  return Scan(c.ev, std::move(a));
}

const Builtin kLoopTable[] = {
    {kLax | kBare, "while_loop", WhileLoop},
    {kLax | kBare, "fori_loop", ForiLoop},
    {kLax | kBare, "scan", ScanOf},
};

}  // namespace

llvm::ArrayRef<Builtin> LoopBuiltins() { return kLoopTable; }

}  // namespace spmdc::text::native
