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

// Where one of the two is not given, JAX takes it from the other and the function's signature.
void InferArgs(Evaluator& ev, const Function& function, bool has_nums, bool has_names, std::vector<int64_t>& nums,
               std::vector<std::string>& names) {
  for (size_t i = 0; i < function.params.size() && has_nums != has_names; ++i) {
    const Param& param = function.params[i];
    std::string name = ev.ast().text(param.name).str();
    auto position = static_cast<int64_t>(i);
    if (param.kind != ParamKind::Normal) {
      continue;
    }
    if (has_nums && llvm::is_contained(nums, position)) {
      names.push_back(name);
    } else if (has_names && llvm::is_contained(names, name)) {
      nums.push_back(position);
    }
  }
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
bool CheckArgs(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> said) {
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
  InferArgs(ev, *jitted.parsed, !said[0].none(), !said[1].none(), jitted.static_argnums, jitted.static_argnames);
  InferArgs(ev, *jitted.parsed, !said[2].none(), !said[3].none(), jitted.donate_argnums, jitted.donate_argnames);
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
  good = good && (jitted->parsed == nullptr || CheckArgs(c.ev, *jitted, llvm::ArrayRef<Value>(v).slice(3, 4)));
  return good ? Value::Object(VK::Jitted, jitted) : Value::Error();
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

// jax.checkpoint(f): f, traced once for arguments of a kind. What is kept for gradients does not matter here.
Value Checkpoint(Call& c) {
  Value v[6];
  if (!c.Bind("fun, *, prevent_cse=, policy=, static_argnums=, static_argnames=, concrete=", v)) {
    return Value::Error();
  }
  auto* jitted = c.ev.heap().New<JittedObj>();
  jitted->function = v[0];
  jitted->checkpoint = true;
  const Function* function = jitted->parsed = c.ev.FunctionOf(v[0]);
  jitted->name = function != nullptr && function->name.valid() ? c.ev.ast().text(function->name).str() : "checkpoint";
  Value said[] = {v[3], v[4], Value(), Value()};
  bool good = ReadArgs(c, "static", v[3], v[4], jitted->static_argnums, jitted->static_argnames) &&
              (function == nullptr || CheckArgs(c.ev, *jitted, said));
  return good ? Value::Object(VK::Jitted, jitted) : Value::Error();
}

// The prelude's traced(user, f, *args, **kwargs): f(*args, **kwargs) where JAX keeps the trace of f for a function of its own.
Value Traced(Call& c) {
  TracedRequest request;
  request.user = Text(c.args[0]);
  request.function = c.args[1];
  for (const Value& arg : llvm::ArrayRef<Value>(c.args).drop_front(2)) {
    request.args.push_back({"", false, CheckTraced(c.ev, arg, "of " + request.user)});
  }
  for (const auto& [name, value] : c.kwargs) {
    request.args.push_back({name.str(), false, CheckTraced(c.ev, value, name.str())});
  }
  return c.ev.has_failed() ? Value::Error() : c.ev.tracer().traced_calls().CallInline(c.ev, request);
}

// Inside a trace: the body in place, its shardings as constraints.
Value CallInline(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  TracedRequest request;
  request.user = jitted.checkpoint ? "checkpoint" : "jit";
  request.function = jitted.function;
  std::vector<Value> traced;  // by position, as in_shardings has them
  auto add = [&](const Value& value, const std::string& name, const std::string& keyword, bool fixed) {
    request.args.push_back({keyword, fixed, fixed ? value : CheckTraced(ev, value, name)});
    if (!fixed && keyword.empty()) {
      traced.push_back(request.args.back().value);
    }
    return fixed ? CheckStatic(ev, value, name) : !request.args.back().value.failed();
  };
  for (size_t i = 0; i < args.size(); ++i) {
    if (!add(args[i], ParamName(ev, jitted.parsed, i), "", jitted.IsStatic(i, ""))) {
      return Value::Error();
    }
  }
  std::vector<std::pair<std::string, Value>> named;
  for (const auto& [name, value] : kwargs) {
    named.push_back({name.str(), value});
  }
  for (const auto& [name, value] : InOrderOfKeywords(named)) {
    if (!add(value, name, name, jitted.IsStatic(SIZE_MAX, name))) {
      return Value::Error();
    }
  }
  if (!jitted.in_shardings.none()) {
    Value constrained = ConstrainTree(ev, ev.heap().Tuple(traced), jitted.in_shardings, "in_shardings");
    if (constrained.failed()) {
      return constrained;
    }
    size_t next = 0;
    for (TracedArg& arg : request.args) {
      arg.value = arg.is_static || !arg.keyword.empty() ? arg.value : Items(constrained)[next++];
    }
  }
  Value result = ev.tracer().traced_calls().CallInline(ev, request);
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
    {kPreludeOnly, "traced", Traced},
    {kBare | kJax, "checkpoint", Checkpoint},
    {kBare | kJax, "remat", Checkpoint},
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

bool JittedObj::IsStatic(size_t position, llvm::StringRef keyword) const {
  return keyword.empty() ? llvm::is_contained(static_argnums, static_cast<int64_t>(position))
                         : llvm::is_contained(static_argnames, keyword);
}

bool JittedObj::Donates(size_t position, llvm::StringRef keyword) const {
  return keyword.empty() ? llvm::is_contained(donate_argnums, static_cast<int64_t>(position))
                         : llvm::is_contained(donate_argnames, keyword);
}

Value CallJitted(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  return !TakesKeywords(ev, jitted, kwargs)                 ? Value::Error()
         : ev.tracer().at_top_level() && !jitted.checkpoint ? CallAtTopLevel(ev, jitted, args, kwargs, /*runs=*/true)
                                                            : CallInline(ev, jitted, args, kwargs);
}

Value JittedAttr(Evaluator& ev, const Value& jitted, llvm::StringRef name) {
  if (name == "__name__") {
    return ev.heap().Str(jitted.as<JittedObj>().name);
  }
  return jitted.as<JittedObj>().checkpoint ? Value() : Bound(ev, jitted, kJittedMethods, name);
}

Value StageAttr(Evaluator& ev, const Value& stage, llvm::StringRef name) {
  return Bound(ev, stage, kStageMethods, name);
}

llvm::ArrayRef<Builtin> JitBuiltins() { return kJitTable; }

}  // namespace spmdc::text::native
