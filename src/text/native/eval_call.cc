// Calling functions: the user's, the prelude's, built-in ones, and what else can be called.
#include "llvm/ADT/STLExtras.h"
#include "support/starts_with.h"
#include "text/native/evaluator.h"
#include "text/native/jit.h"
#include "text/native/keys.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

constexpr int kMaxCallDepth = 200;
// Calls of functions in functions, those of built-in and wrapped ones too: as many as the stack holds.
constexpr int kMaxNestedCalls = 1200;

struct Signature {
  llvm::SmallVector<llvm::StringRef, 8> names;  // "*xs" collects
  size_t positional = 0;                        // how many may be given by position
  size_t positional_only = 0;                   // how many of them may not be given by keyword
  uint64_t optional = 0;                        // bit i: names[i] need not be given
  bool collects = false;
};

std::string Quoted(llvm::ArrayRef<std::string> names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "'" : ", '") + name + "'";
  }
  return out;
}

// "takes 1 positional argument but 2 were given", as Python counts.
std::string TooManyText(size_t least, size_t most, size_t given) {
  std::string taken =
      least == most ? std::to_string(most) : "from " + std::to_string(least) + " to " + std::to_string(most);
  return "takes " + taken + " positional argument" + (most == 1 ? "" : "s") + " but " + std::to_string(given) +
         (given == 1 ? " was given" : " were given");
}

std::string MissingText(llvm::ArrayRef<std::string> names, llvm::StringRef kind) {
  return "missing " + std::to_string(names.size()) + " required " + kind.str() + " argument" +
         (names.size() == 1 ? ": " : "s: ") + Quoted(names);
}

Signature ReadSignature(llvm::StringRef text) {
  Signature signature;
  bool keyword_only = false;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    part = part.trim();
    if (part == "*") {
      keyword_only = true;
      continue;
    }
    if (part == "/") {
      signature.positional_only = signature.names.size();
      continue;
    }
    if (StartsWith(part, "*")) {
      signature.collects = true;
      keyword_only = true;
    }
    if (part.consume_back("=") || StartsWith(part, "*")) {
      signature.optional |= uint64_t{1} << signature.names.size();
    }
    signature.names.push_back(part);
    signature.positional += keyword_only ? 0 : 1;
  }
  return signature;
}

}  // namespace

bool Call::Bind(llvm::StringRef text, llvm::MutableArrayRef<Value> out) {
  Signature signature = ReadSignature(text);
  SPMDC_CHECK(out.size() == signature.names.size(), "a signature and the values it fills differ in number");
  auto fail = [&](const std::string& message, std::string help = "") {
    ev.Fail(diag::Kind::Arguments, std::string(builtin.name) + "() " + message, std::move(help));
    return false;
  };
  auto required = [&](size_t i) { return (signature.optional >> i & 1) == 0; };
  if (args.size() > signature.positional && !signature.collects) {
    size_t least = 0;
    while (least < signature.positional && required(least)) {
      ++least;
    }
    return fail(TooManyText(least, signature.positional, args.size()));
  }
  for (size_t i = 0; i < std::min(args.size(), signature.positional); ++i) {
    out[i] = args[i];
  }
  if (signature.collects) {
    std::vector<Value> rest;
    for (size_t i = signature.positional; i < args.size(); ++i) {
      rest.push_back(args[i]);
    }
    out[signature.positional] = ev.heap().Tuple(std::move(rest));
  }
  for (const auto& [name, value] : kwargs) {
    const auto* found = llvm::find(signature.names, name);
    if (found == signature.names.end()) {
      std::vector<std::string> names(signature.names.begin(), signature.names.end());
      return fail("got an unexpected keyword argument '" + name.str() + "'", DidYouMean(name, std::move(names)));
    }
    auto i = static_cast<size_t>(found - signature.names.begin());
    if (i < signature.positional_only) {
      return fail("got some positional-only arguments passed as keyword arguments: '" + name.str() + "'");
    }
    if (out[i].given()) {
      return fail("got multiple values for argument '" + name.str() + "'");
    }
    out[i] = value;
  }
  llvm::SmallVector<std::string, 4> missing, missing_keywords;
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i].given() && required(i)) {
      (i < signature.positional ? missing : missing_keywords).push_back(signature.names[i].str());
    }
  }
  if (!missing.empty() || !missing_keywords.empty()) {
    return fail(missing.empty() ? MissingText(missing_keywords, "keyword-only") : MissingText(missing, "positional"));
  }
  return true;
}

Value Evaluator::CallFunction(const Value& function, llvm::ArrayRef<Value> args,
                              llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  if (failed_ || function.failed()) {
    return Value::Error();
  }
  if (nested_calls_ >= kMaxNestedCalls) {
    return Fail(diag::Kind::Python, "maximum recursion depth exceeded");
  }
  source::Span at = at_;
  ++nested_calls_;
  Value result = CallDirect(function, args, kwargs);
  --nested_calls_;
  if (!result.failed()) {
    at_ = at;
  }
  return result;
}

Value Evaluator::CallDirect(const Value& function, llvm::ArrayRef<Value> args,
                            llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  switch (function.kind) {
    case VK::Function:
      return CallUser(function.as<FunctionObj>(), args, kwargs);
    case VK::Builtin: {
      Call call{*this, *function.builtin, {}, {}};
      call.args.assign(args.begin(), args.end());
      call.kwargs.assign(kwargs.begin(), kwargs.end());
      return function.builtin->run(call);
    }
    case VK::Method: {
      const auto& method = function.as<MethodObj>();
      llvm::SmallVector<Value, 4> all{method.self};
      all.append(args.begin(), args.end());
      Value callee = method.function;
      if (method.builtin != nullptr) {
        callee = Value::Of(VK::Builtin);
        callee.builtin = method.builtin;
      }
      return CallDirect(callee, all, kwargs);
    }
    case VK::Partial: {
      const auto& partial = function.as<PartialObj>();
      llvm::SmallVector<Value, 4> all(partial.args.begin(), partial.args.end());
      all.append(args.begin(), args.end());
      llvm::SmallVector<std::pair<llvm::StringRef, Value>, 4> named;
      for (const auto& [name, value] : partial.kwargs) {
        if (llvm::none_of(kwargs, [&n = name](const auto& k) { return k.first == n; })) {
          named.push_back({name, value});
        }
      }
      named.append(kwargs.begin(), kwargs.end());
      return CallFunction(partial.function, all, named);
    }
    case VK::Jitted:
      return CallJitted(*this, function.as<JittedObj>(), args, kwargs);
    case VK::Stage:
      return TypeError("a compiled function is not run while the file is read");
    case VK::DType: {  // f32(2): a scalar that is not weak
      if (args.size() != 1 || !kwargs.empty()) {
        return Fail(diag::Kind::Arguments, "a dtype takes one argument",
                    "the type of an array has brackets: f32[8, 4]");
      }
      return CheckFits(*this, args[0], function.dtype()) ? ToArray(*this, args[0], function.dtype()) : Value::Error();
    }
    default:
      return Fail(diag::Kind::Arguments, "'" + TypeName(function) + "' object is not callable");
  }
}

Value Evaluator::CallPrelude(llvm::StringRef name, llvm::ArrayRef<Value> args,
                             llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  if (IsLacking(name)) {
    return Value::Error();
  }
  auto found = prelude_env_->vars.find(ast_.Find(name));
  SPMDC_CHECK(found != prelude_env_->vars.end(), "a function of the prelude is missing: " + name.str());
  return CallFunction(found->second, args, kwargs);
}

const Function* Evaluator::FunctionOf(const Value& function) const {
  if (function.is(VK::Jitted)) {
    return function.as<JittedObj>().parsed;
  }
  return function.is(VK::Function) ? &ast_[function.as<FunctionObj>().function] : nullptr;
}

// The value of one parameter: by position, by keyword or its default. False after a diagnostic.
bool Evaluator::BindParam(FunctionObj& f, size_t p, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs,
                          std::vector<bool>& used, Value& value) {
  const Param& param = ast_[f.function].params[p];
  llvm::StringRef name = ast_.text(param.name);
  for (size_t k = 0; param.kind != ParamKind::PositionalOnly && k < kwargs.size(); ++k) {
    if (kwargs[k].first == name) {
      if (value.given()) {
        return Refuse(f, "got multiple values for argument '" + name.str() + "'");
      }
      value = kwargs[k].second;
      used[k] = true;
    }
  }
  if (!value.given()) {
    value = f.defaults[p];
  }
  if (f.prelude && name == "out" && !value.none()) {  // numpy's, which would write into an array
    return !Fail(diag::Kind::NotInLanguage, "the argument 'out' of " + PublicName(f) + "() is not supported").failed();
  }
  return true;
}

bool Evaluator::Refuse(const FunctionObj& f, const std::string& message, std::string help) {
  NameId name = ast_[f.function].name;
  return !Fail(diag::Kind::Arguments, (name.valid() ? PublicName(f) : "<lambda>") + "() " + message, std::move(help))
              .failed();
}

// The name that a function is called by: that of a function of the prelude is the one it was exported under.
std::string Evaluator::PublicName(const FunctionObj& f) const {
  return f.exported.empty() ? ast_.text(ast_[f.function].name).str() : f.exported;
}

bool Evaluator::BindParams(FunctionObj& f, llvm::ArrayRef<Value> args,
                           llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs, Env* env) {
  const Function& function = ast_[f.function];
  size_t taken = 0, least = 0, most = 0;
  std::vector<bool> used(kwargs.size());
  llvm::SmallVector<std::string, 4> missing, missing_keywords;
  for (size_t p = 0; p < function.params.size(); ++p) {
    const Param& param = function.params[p];
    if (param.kind == ParamKind::Star) {
      std::vector<Value> rest(args.begin() + static_cast<long>(std::min(taken, args.size())), args.end());
      taken = args.size();
      env->vars[param.name] = heap_.Tuple(std::move(rest));
      continue;
    }
    if (param.kind == ParamKind::DoubleStar) {
      continue;
    }
    bool positional = param.kind != ParamKind::KeywordOnly;
    Value value = positional && taken < args.size() ? args[taken++] : Value();
    most += positional ? 1 : 0;
    least += positional && !f.defaults[p].given() ? 1 : 0;
    if (!BindParam(f, p, kwargs, used, value)) {
      return false;
    }
    if (!value.given()) {
      (positional ? missing : missing_keywords).push_back(ast_.text(param.name).str());
    }
    env->vars[param.name] = value;
  }
  if (taken < args.size()) {
    return Refuse(f, TooManyText(least, most, args.size()));
  }
  auto* rest = heap_.New<DictObj>();
  for (size_t k = 0; k < kwargs.size(); ++k) {
    if (!used[k]) {
      rest->items.push_back({heap_.Str(kwargs[k].first.str()), kwargs[k].second});
    }
  }
  if (!function.params.empty() && function.params.back().kind == ParamKind::DoubleStar) {
    env->vars[function.params.back().name] = Value::Object(VK::Dict, rest);
  } else if (!rest->items.empty()) {
    llvm::StringRef keyword = native::Text(rest->items[0].first);
    std::vector<std::string> names;
    for (const Param& param : function.params) {
      names.push_back(ast_.text(param.name).str());
    }
    return Refuse(f, UnexpectedText(function, keyword), DidYouMean(keyword, std::move(names)));
  }
  if (!missing.empty() || !missing_keywords.empty()) {
    return Refuse(f,
                  missing.empty() ? MissingText(missing_keywords, "keyword-only") : MissingText(missing, "positional"));
  }
  return true;
}

std::string Evaluator::UnexpectedText(const Function& function, llvm::StringRef keyword) const {
  bool positional_only = llvm::any_of(function.params, [&](const Param& p) {
    return p.kind == ParamKind::PositionalOnly && ast_.text(p.name) == keyword;
  });
  return (positional_only ? "got some positional-only arguments passed as keyword arguments: '"
                          : "got an unexpected keyword argument '") +
         keyword.str() + "'";
}

// Annotations of parameters are checked on entry to the function.
bool Evaluator::CheckParams(FunctionObj& f, Env* env) {
  const Function& function = ast_[f.function];
  for (const Param& param : function.params) {
    if (!param.annotation.valid() || param.kind == ParamKind::Star || param.kind == ParamKind::DoubleStar) {
      continue;
    }
    set_span(param.span);
    Value annotation = EvalAnnotation(param.annotation, f.closure);
    set_span(param.span);
    if (annotation.failed() || !CheckAnnotation(env->vars.lookup(param.name), annotation)) {
      return false;
    }
  }
  return true;
}

// A def of the file whose parameters all have types is a body of the flat form: its parameters name the arguments of the
// body being traced, in their order, captured arrays included.
void Evaluator::NameArguments(FunctionObj& f, Env* env) {
  const Function& function = ast_[f.function];
  bool typed = f.closure == file_env_ && !tracer_->at_top_level() &&
               llvm::all_of(function.params, [](const Param& p) { return p.annotation.valid(); });
  for (const Param& param : function.params) {
    Value& value = env->vars[param.name];
    if (!typed || !value.is(VK::Array)) {
      continue;
    }
    ir::ValueId id = tracer_->Use(value);
    if (!id.valid()) {
      return;
    }
    if (value.as<ArrayObj>().trace != &tracer_->current()) {
      Value here = tracer_->Array(id, false);
      MarkLike(*this, here, value);
      value = here;
    }
    tracer_->NameValue(value, ast_.text(param.name));
  }
}

Value Evaluator::CallUser(FunctionObj& f, llvm::ArrayRef<Value> args,
                          llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  const Function& function = ast_[f.function];
  auto* env = heap_.New<Env>();
  env->made = ++envs_made_;
  env->outer = f.closure;
  env->function = &function;
  if (!BindParams(f, args, kwargs, env)) {
    return Value::Error();
  }
  if (call_depth_ >= kMaxCallDepth) {
    return Fail(diag::Kind::Python, "maximum recursion depth exceeded");
  }
  ++call_depth_;
  prelude_depth_ += f.prelude ? 1 : 0;
  bool is_entry = &function == entry_function_;
  if (!in_prelude()) {
    call_spans_.push_back(is_entry ? source::Span() : at_);  // nothing in the text calls the entry
  }
  // A function of the user's that the prelude calls (a body given to a loop) is the user's text again.
  int outer_prelude = prelude_depth_;
  if (!f.prelude) {
    prelude_depth_ = 0;
  }
  if (is_entry) {
    entry_function_ = nullptr;
  }
  if (!is_entry && !f.prelude) {
    NameArguments(f, env);
  }
  Value result = Value::None();
  if (!is_entry && !f.prelude && !CheckParams(f, env)) {
    result = Value::Error();
  } else if (function.value.valid()) {
    result = Eval(function.value, env);
  } else if ((is_entry ? RunAll(function.body, env, result) : Run(function.body, env, result)) == Flow::Fail) {
    result = Value::Error();
  }
  prelude_depth_ = outer_prelude;
  if (!in_prelude()) {
    call_spans_.pop_back();
  }
  prelude_depth_ -= f.prelude ? 1 : 0;
  --call_depth_;
  return result;
}

}  // namespace spmdc::text::native
