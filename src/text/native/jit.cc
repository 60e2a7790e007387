// jit: functions that are traced when they are called, and what their shardings mean.
#include "text/native/jit.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/sharding.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/sharding_api.h"
#include "text/native/traced_calls.h"
#include "text/native/traced_function.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

// static_argnums and static_argnames, or donate_argnums and donate_argnames.
bool ReadArgs(Call& c, const std::string& what, const Value& nums, const Value& names, std::vector<int64_t>& argnums,
              std::vector<std::string>& argnames) {
  tensor::Dims ints;
  if (!nums.none() && !c.ev.ToInts(nums, (what + "_argnums").c_str(), ints)) {
    return false;
  }
  argnums.assign(ints.begin(), ints.end());
  std::vector<Value> items{names};
  if (!names.none() && !names.is(VK::Str)) {
    items.clear();
    if (!c.ev.Iterate(names, items)) {
      return false;
    }
  }
  for (const Value& item : names.none() ? std::vector<Value>() : items) {
    std::optional<std::string> name = c.ev.ToStr(item, (what + "_argnames").c_str());
    if (!name) {
      return false;
    }
    argnames.push_back(*name);
  }
  return true;
}

// How a function's parameters are called, where they can be counted and named; JAX asks its signature.
struct ParamNames {
  std::vector<std::string> positional, all;
  bool more_positional = false, more_named = false;
};

ParamNames ParamNamesOf(Evaluator& ev, const Function& function) {
  ParamNames names;
  for (const Param& param : function.params) {
    std::string name = ev.ast().text(param.name).str();
    if (param.kind == ParamKind::Star || param.kind == ParamKind::DoubleStar) {
      (param.kind == ParamKind::Star ? names.more_positional : names.more_named) = true;
      continue;
    }
    if (param.kind != ParamKind::KeywordOnly) {
      names.positional.push_back(name);
    }
    if (param.kind != ParamKind::PositionalOnly) {
      names.all.push_back(name);
    }
  }
  return names;
}

// Whether the function has the arguments that one option names.
bool HasArgs(Evaluator& ev, const ParamNames& names, const std::string& what, llvm::ArrayRef<int64_t> nums,
             llvm::ArrayRef<std::string> argnames) {
  auto n = static_cast<int64_t>(names.positional.size());
  for (int64_t i : nums) {
    if (!names.more_positional && (i >= n || i < -n)) {
      return !ev.Fail(diag::Kind::Arguments, "jit has " + what + "_argnums=" + std::to_string(i) +
                                                 ", and the function takes " + Counted(n, "positional argument"))
                  .failed();
    }
  }
  for (const std::string& name : argnames) {
    if (!names.more_named && !llvm::is_contained(names.all, name)) {
      return !ev.Fail(diag::Kind::Arguments,
                      "jit has " + what + "_argnames='" + name + "', and the function has no such argument",
                      DidYouMean(name, names.all))
                  .failed();
    }
  }
  return true;
}

// What static_* and donate_* name must be there, and no argument can be both. Numbers below 0 count from the end.
bool CheckArgs(Evaluator& ev, JittedObj& jitted) {
  if (jitted.parsed == nullptr) {
    return true;
  }
  ParamNames names = ParamNamesOf(ev, *jitted.parsed);
  if (!HasArgs(ev, names, "static", jitted.static_argnums, jitted.static_argnames) ||
      !HasArgs(ev, names, "donate", jitted.donate_argnums, jitted.donate_argnames)) {
    return false;
  }
  auto n = static_cast<int64_t>(names.positional.size());
  for (auto* nums : {&jitted.static_argnums, &jitted.donate_argnums}) {
    for (int64_t& i : *nums) {
      i += i < 0 ? n : 0;
    }
  }
  auto named = [&](llvm::ArrayRef<int64_t> nums, const std::vector<std::string>& argnames) {
    std::vector<std::string> out = argnames;
    for (int64_t i : nums) {
      out.push_back(i >= 0 && i < n ? names.positional[static_cast<size_t>(i)] : std::to_string(i));
    }
    return out;
  };
  std::vector<std::string> donated = named(jitted.donate_argnums, jitted.donate_argnames);
  for (const std::string& name : named(jitted.static_argnums, jitted.static_argnames)) {
    if (llvm::is_contained(donated, name)) {
      return !ev.Fail(diag::Kind::Arguments, "the argument '" + name + "' of jit is both static and donated").failed();
    }
  }
  return true;
}

// A spec that uses an axis twice is refused where jit is given it.
bool NamesAxesOnce(Evaluator& ev, const Value& spec, llvm::StringRef what) {
  std::vector<std::string> seen;
  for (const mesh::SpecEntry& entry : spec.as<SpecObj>().spec.entries) {
    for (const std::string& name : entry.axes) {
      if (llvm::is_contained(seen, name)) {
        return !ev.Fail(diag::Kind::DuplicateAxis, "the spec " + Repr(spec) + " of " + what.str() + " uses the axis '" +
                                                       name + "' twice, but an axis can split at most one dim")
                    .failed();
      }
      seen.push_back(name);
    }
  }
  return true;
}

// The leaves of in_shardings and out_shardings are specs, shardings, or None.
bool CheckShardingLeaves(Evaluator& ev, const Value& tree, const char* what) {
  std::vector<Value> leaves;
  if (tree.given()) {
    Leaves(tree, leaves);
  }
  for (const Value& leaf : leaves) {
    if (leaf.is(VK::Spec) && !NamesAxesOnce(ev, leaf, what)) {
      return false;
    }
    if (!leaf.none() && !leaf.is(VK::Spec) && !leaf.is(VK::Sharding) && !leaf.is(VK::Device)) {
      return !ev.Fail(diag::Kind::SpecForm, std::string("a leaf of ") + what +
                                                " must be a PartitionSpec, a NamedSharding or None, got " + Repr(leaf))
                  .failed();
    }
  }
  return true;
}

// jax.jit; data 1: jax.experimental.pjit, which takes its options by position too.
Value Jit(Call& c) {
  Value v[12];
  const char* signature =
      c.builtin.data == 1
          ? "fun, in_shardings=, out_shardings=, static_argnums=, static_argnames=, donate_argnums=, donate_argnames=, "
            "keep_unused=, device=, backend=, inline=, compiler_options="
          : "fun=, /, *, in_shardings=, out_shardings=, static_argnums=, static_argnames=, donate_argnums=, "
            "donate_argnames=, keep_unused=, device=, backend=, inline=, compiler_options=";
  if (!c.Bind(signature, v)) {
    return Value::Error();
  }
  if (!CheckShardingLeaves(c.ev, v[1], "in_shardings") || !CheckShardingLeaves(c.ev, v[2], "out_shardings")) {
    return Value::Error();
  }
  if (!v[0].given()) {  // jit(...) as a decorator
    auto* partial = c.ev.heap().New<PartialObj>();
    partial->function = Value::Of(VK::Builtin);
    partial->function.builtin = &c.builtin;
    for (const auto& [name, value] : c.kwargs) {
      partial->kwargs.push_back({name.str(), value});
    }
    return Value::Object(VK::Partial, partial);
  }
  auto* jitted = c.ev.heap().New<JittedObj>();
  jitted->function = v[0];
  jitted->in_shardings = v[1];
  jitted->out_shardings = v[2];
  const Function* function = jitted->parsed = c.ev.FunctionOf(v[0]);
  jitted->name = function != nullptr && function->name.valid() ? c.ev.ast().text(function->name).str() : "main";
  bool good = ReadArgs(c, "static", v[3], v[4], jitted->static_argnums, jitted->static_argnames) &&
              ReadArgs(c, "donate", v[5], v[6], jitted->donate_argnums, jitted->donate_argnames);
  return good && CheckArgs(c.ev, *jitted) ? Value::Object(VK::Jitted, jitted) : Value::Error();
}

// JAX's in_shardings are for arguments given by position, whichever of the others are static.
bool TakesKeywords(Evaluator& ev, const JittedObj& jitted, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  return kwargs.empty() || jitted.in_shardings.none() ||
         !ev.Fail(diag::Kind::Arguments,
                  "a function made by jit with in_shardings takes no keyword arguments, got '" + kwargs[0].first.str() +
                      "'",
                  "give the arguments by position")
              .failed();
}

// Inside a trace: the body in place, its shardings as constraints.
Value CallInline(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  std::vector<Value> placed(args.begin(), args.end());
  if (!jitted.in_shardings.none()) {
    Value tree = ev.heap().Tuple(placed);
    Value constrained = ConstrainTree(ev, tree, jitted.in_shardings, "in_shardings");
    if (constrained.failed()) {
      return constrained;
    }
    placed = Items(constrained);
  }
  Value result = ev.tracer().traced_calls().Call(ev, jitted.function, placed, kwargs);
  if (result.failed() || jitted.out_shardings.none()) {
    return result;
  }
  return ConstrainTree(ev, result, jitted.out_shardings, "out_shardings");
}

// lower 1, trace 0, eval_shape is not in the language.
Value LowerMethod(Call& c) {
  Value self = c.args[0];
  auto& jitted = self.as<JittedObj>();
  llvm::ArrayRef<Value> args = llvm::ArrayRef<Value>(c.args).drop_front();
  if (!TakesKeywords(c.ev, jitted, c.kwargs) || CallAtTopLevel(c.ev, jitted, args, c.kwargs, /*runs=*/false).failed()) {
    return Value::Error();
  }
  auto* stage = c.ev.heap().New<StageObj>();
  stage->stage = static_cast<int>(c.builtin.data);
  return Value::Object(VK::Stage, stage);
}

Value NextStage(Call& c) {
  auto* stage = c.ev.heap().New<StageObj>();
  stage->stage = static_cast<int>(c.builtin.data);
  return Value::Object(VK::Stage, stage);
}

Value StageText(Call& c) { return c.ev.heap().Str("<text of the program>"); }

const Builtin kJittedMethods[] = {{0, "lower", LowerMethod, 1}, {0, "trace", LowerMethod, 0}};
const Builtin kStageMethods[] = {{0, "lower", NextStage, 1}, {0, "compile", NextStage, 2}, {0, "as_text", StageText}};

const Builtin kJitTable[] = {
    {kBare | kJax, "jit", Jit},
    {kBare | kJax, "pjit", Jit},
    {kExperimental, "pjit", Jit, 1},
};

Value Bound(Evaluator& ev, const Value& self, llvm::ArrayRef<Builtin> table, llvm::StringRef name) {
  const auto* found = llvm::find_if(table, [&](const Builtin& b) { return name == b.name; });
  if (found == table.end()) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = self;
  method->builtin = found;
  return Value::Object(VK::Method, method);
}

}  // namespace

Value CallJitted(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  return !TakesKeywords(ev, jitted, kwargs) ? Value::Error()
         : ev.tracer().at_top_level()       ? CallAtTopLevel(ev, jitted, args, kwargs, /*runs=*/true)
                                            : CallInline(ev, jitted, args, kwargs);
}

Value JittedAttr(Evaluator& ev, const Value& jitted, llvm::StringRef name) {
  if (name == "__name__") {
    return ev.heap().Str(jitted.as<JittedObj>().name);
  }
  return Bound(ev, jitted, kJittedMethods, name);
}

Value StageAttr(Evaluator& ev, const Value& stage, llvm::StringRef name) {
  return Bound(ev, stage, kStageMethods, name);
}

llvm::ArrayRef<Builtin> JitBuiltins() { return kJitTable; }

}  // namespace spmdc::text::native
