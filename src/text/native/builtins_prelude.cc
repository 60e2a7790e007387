// What the prelude asks the evaluator and tells it: types of arguments, broadcasting, refusals, its own functions.
#include "text/native/evaluator.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using tensor::DType;

// Prelude: promote_args("name", inexact, *xs) as a tuple of arrays.
Value PromoteArgs(Call& c) {
  llvm::SmallVector<Value, 4> out;
  bool inexact = c.args[1].b;
  if (!PromoteAll(c.ev, Text(c.args[0]), llvm::ArrayRef<Value>(c.args).drop_front(2), out, inexact)) {
    return Value::Error();
  }
  return c.ev.heap().Tuple({out.begin(), out.end()});
}

// Prelude: broadcast_args("name", *xs), and broadcast_together (data 1).
Value BroadcastArgs(Call& c) {
  llvm::SmallVector<Value, 4> x(c.args.begin() + 1, c.args.end());
  auto* broadcast = c.builtin.data == 1 ? BroadcastTogether : BroadcastAll;
  return broadcast(c.ev, Text(c.args[0]), x) ? c.ev.heap().Tuple({x.begin(), x.end()}) : Value::Error();
}

// Prelude: is_weak(x), with_weak(x, bool), is_traced(x), is_unplaced(x).
Value IsWeak(Call& c) {
  std::optional<DTypeWeak> type = TypeOf(c.args[0]);
  return Value::Bool(type && type->weak);
}
Value WithWeak(Call& c) { return Convert(c.ev, c.args[0], TypeOfArray(c.args[0]).dtype, c.args[1].b); }
Value IsTraced(Call& c) { return Value::Bool(c.args[0].is(VK::Array)); }
// An argument of which nothing was said, or a constant: neither has a mesh.
Value IsUnplaced(Call& c) {
  bool array = c.args[0].is(VK::Array);
  return Value::Bool(array && (c.args[0].as<ArrayObj>().unplaced || c.args[0].as<ArrayObj>().known.given()));
}

// Prelude: whether types inside the current context name shardings.
Value HasExplicitAxes(Call& c) {
  MeshObj* mesh = c.ev.tracer().context_mesh();
  return Value::Bool(mesh != nullptr && mesh->mesh.has_explicit_axes());
}

// Prelude: fail("kind", message, help=""), and fail_at_entry (data 1) for what JAX refuses when it lowers a function.
Value FailWith(Call& c) {
  source::Span at = c.builtin.data == 1 ? c.ev.lowering_span() : c.ev.span();
  std::string code = Text(c.args[0]), help = c.args.size() > 2 ? Text(c.args[2]) : "";
  for (diag::Kind kind : diag::AllKinds()) {
    if (diag::Code(kind) == code) {
      return c.ev.FailAt(at, kind, Text(c.args[1]), help);
    }
  }
  return c.ev.FailAt(at, diag::Kind::Python, Text(c.args[1]), help);
}

// Prelude: with_fields(('Q', 'R'), (q, r)): a tuple whose items have names too.
Value WithFields(Call& c) {
  Value tuple = c.ev.heap().Tuple(Items(c.args[1]));
  for (const Value& name : Items(c.args[0])) {
    tuple.as<SeqObj>().fields.push_back(Text(name));
  }
  return tuple;
}

// Prelude: check_axis(axis, rank) as an axis that is not negative.
Value CheckAxis(Call& c) {
  std::optional<int64_t> axis = c.ev.ToAxis(c.args[0], static_cast<size_t>(c.args[1].i));
  return axis ? Value::Int(*axis) : Value::Error();
}

// Prelude: @export('jnp lax', 'name').
Value ExportTo(Call& c) {
  if (c.args.back().is(VK::Function)) {
    const Value& f = c.args.back();
    llvm::StringRef own = c.ev.ast().text(c.ev.FunctionOf(f)->name);
    llvm::StringRef name = c.args.size() == 3 ? llvm::StringRef(Text(c.args[1])) : own;
    f.as<FunctionObj>().exported = name.str();
    c.ev.Export(ModulesOf(Text(c.args[0])), name, f);
    return f;
  }
  auto* partial = c.ev.heap().New<PartialObj>();
  partial->function = Value::Of(VK::Builtin);
  partial->function.builtin = &c.builtin;
  partial->args.assign(c.args.begin(), c.args.end());
  return Value::Object(VK::Partial, partial);
}

// is_float 0, is_int 1, is_complex 2, is_signed 3, bits 4, is_key 5 of a dtype: for the prelude.
Value AskDType(Call& c) {
  std::optional<DType> t = c.ev.ToDType(c.args[0], true);
  if (!t) {
    return Value::Error();
  }
  switch (c.builtin.data) {
    case 0:
      return Value::Bool(tensor::IsFloat(*t));
    case 1:
      return Value::Bool(tensor::IsInteger(*t));
    case 2:
      return Value::Bool(tensor::IsComplex(*t));
    case 3:
      return Value::Bool(tensor::Class(*t) == tensor::DClass::Signed);
    case 5:
      return Value::Bool(tensor::IsKey(*t));
    default:
      return Value::Int(tensor::BitWidth(*t));
  }
}

const Builtin kPrelude[] = {
    {kPreludeOnly, "promote_args", PromoteArgs},
    {kPreludeOnly, "broadcast_args", BroadcastArgs},
    {kPreludeOnly, "broadcast_together", BroadcastArgs, 1},
    {kPreludeOnly, "is_weak", IsWeak},
    {kPreludeOnly, "with_weak", WithWeak},
    {kPreludeOnly, "is_traced", IsTraced},
    {kPreludeOnly, "fail", FailWith},
    {kPreludeOnly, "check_axis", CheckAxis},
    {kPreludeOnly, "export", ExportTo},
    {kPreludeOnly, "is_float_dtype", AskDType, 0},
    {kPreludeOnly, "is_int_dtype", AskDType, 1},
    {kPreludeOnly, "is_complex_dtype", AskDType, 2},
    {kPreludeOnly, "is_signed_dtype", AskDType, 3},
    {kPreludeOnly, "bits_of_dtype", AskDType, 4},
    {kPreludeOnly, "is_key_dtype", AskDType, 5},
    {kPreludeOnly, "is_unplaced", IsUnplaced},
    {kPreludeOnly, "has_explicit_axes", HasExplicitAxes},
    {kPreludeOnly, "fail_at_entry", FailWith, 1},
    {kPreludeOnly, "with_fields", WithFields},
};

}  // namespace

llvm::ArrayRef<Builtin> PreludeBuiltins() { return kPrelude; }

}  // namespace spmdc::text::native
