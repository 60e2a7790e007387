// Evaluating expressions.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {
namespace {

// Trees and calls together may not go deeper than this; the stack would not hold more.
constexpr int kMaxEvalDepth = 2500;
// What static values may take; they stay until the file is read.
constexpr int64_t kMaxBytes = int64_t{80} << 20;
// A long text is read in time that grows with it: what it spells out is no endless loop.
constexpr int64_t kStepsPerChar = 2, kBytesPerChar = 16;
// What a function can look at in the time of one step.
constexpr int64_t kBytesPerStep = 256;

}  // namespace

bool Evaluator::Work(int64_t steps) {
  steps_ += steps;
  if (steps_ > options_.max_steps + kStepsPerChar * text_size()) {
    return !Fail(diag::Kind::TooLarge, "the file takes too long to evaluate").failed();
  }
  return Afford(0);
}

bool Evaluator::Touch(int64_t bytes) { return bytes < kBytesPerStep || Work(bytes / kBytesPerStep); }

int64_t Evaluator::TouchableBytes() const {
  return (options_.max_steps + kStepsPerChar * text_size_ - steps_ + 1) * kBytesPerStep;
}

bool Evaluator::Same(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) {
    return a.as_int() == b.as_int();
  }
  bool array = a.is(VK::Array) || b.is(VK::Array), number = a.is_number() || b.is_number();
  if (array && (number || a.kind == b.kind)) {  // an array is itself; to others it compares element by element
    bool itself = a.kind == b.kind && a.obj == b.obj;
    std::optional<bool> truth = itself ? true : Truth(ArrayCompare(*this, Operator::Eq, a, b));
    return truth.value_or(false);
  }
  Comparison comparison(TouchableBytes());
  bool same = comparison.Run(a, b);
  if (!Touch(comparison.paid())) {
    return false;
  }
  return comparison.too_deep() ? !TypeError("maximum recursion depth exceeded in comparison").failed() : same;
}

std::optional<std::string> Evaluator::Written(const Value& v, bool repr) {
  if (!TouchItems(8 * static_cast<size_t>(TreeSize(v).value_or(kMaxTreeParts)))) {
    return std::nullopt;
  }
  int64_t room = BytesLeft(), touched = 0;
  std::optional<std::string> text = repr ? Repr(v, room, touched) : Str(v, room, touched);
  bool good = text ? Touch(8 * touched) : Afford(room + 1);
  return good ? std::move(text) : std::nullopt;
}

int64_t Evaluator::BytesLeft() const { return kMaxBytes + kBytesPerChar * text_size_ - heap_.bytes(); }

bool Evaluator::Afford(int64_t bytes) {
  return bytes <= BytesLeft() ||
         !Fail(diag::Kind::TooLarge, "the static values of this file take too much memory").failed();
}

Value Evaluator::Eval(ExprId id, Env* env) {
  if (failed_ || !Step()) {
    return Value::Error();
  }
  const Expr& e = ast_[id];
  switch (e.kind) {
    case ExprKind::True:
      return Value::Bool(true);
    case ExprKind::False:
      return Value::Bool(false);
    case ExprKind::None:
      return Value::None();
    case ExprKind::Ellipsis:
      return Value::Of(VK::Ellipsis);
    case ExprKind::String:
      return heap_.Str(ast_.text(e.string()));
    case ExprKind::Name:
      return EvalName(e, env);
    default:
      break;
  }
  if (++eval_depth_ > kMaxEvalDepth) {
    eval_depth_ -= 1;
    set_span(e.span);
    return Fail(diag::Kind::Python, "maximum recursion depth exceeded");
  }
  Value value = EvalInner(e, env);
  --eval_depth_;
  return value;
}

Value Evaluator::EvalInner(const Expr& e, Env* env) {
  switch (e.kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Imag:
      set_span(e.span);
      return EvalNumber(e);
    case ExprKind::FString:
      return EvalFString(e, env);
    case ExprKind::Attribute: {
      Value object = Eval(e.a, env);
      if (object.failed()) {
        return object;
      }
      set_span(e.span);
      return GetAttr(object, ast_.text(e.name()));
    }
    case ExprKind::Subscript:
      return EvalSubscript(e, env);
    case ExprKind::Slice: {
      auto* slice = heap_.New<SliceObj>();
      slice->start = e.a.valid() ? Eval(e.a, env) : Value::None();
      slice->stop = e.b.valid() ? Eval(e.b, env) : Value::None();
      slice->step = e.c.valid() ? Eval(e.c, env) : Value::None();
      return failed_ ? Value::Error() : Value::Object(VK::Slice, slice);
    }
    case ExprKind::Call:
      return EvalCall(e, env);
    case ExprKind::Unary: {
      Value value = Eval(e.a, env);
      if (!value.failed()) {
        set_span(e.span);
      }
      return Unary(e.oper(), value);
    }
    case ExprKind::Binary:
      return EvalBinary(e, env);
    case ExprKind::And:
    case ExprKind::Or:
      return EvalLogic(e, env);
    case ExprKind::Compare:
      return EvalCompare(e, env);
    case ExprKind::Conditional: {
      Value condition = Eval(e.b, env);
      set_span(e.span);
      std::optional<bool> truth = condition.failed() ? std::nullopt : Truth(condition);
      return truth ? Eval(*truth ? e.a : e.c, env) : Value::Error();
    }
    case ExprKind::Lambda:
      return MakeFunction(e.function(), env);
    case ExprKind::Tuple:
    case ExprKind::List:
    case ExprKind::Set: {
      std::vector<Value> items;
      if (!EvalItems(ast_.Items(e), env, items)) {
        return Value::Error();
      }
      if (e.kind != ExprKind::Set) {
        return e.kind == ExprKind::Tuple ? heap_.Tuple(std::move(items)) : heap_.List(std::move(items));
      }
      auto* set = heap_.New<SetObj>();
      bool good = llvm::all_of(items, [&](const Value& item) { return AddToSet(*set, item); });
      return good ? Value::Object(VK::Set, set) : Value::Error();
    }
    case ExprKind::Dict:
      return EvalDict(e, env);
    case ExprKind::ListComp:
    case ExprKind::SetComp:
    case ExprKind::GeneratorComp:
    case ExprKind::DictComp:
      return EvalComprehension(e, env);
    default:
      set_span(e.span);
      return Fail(diag::Kind::Syntax, "this expression cannot stand here");
  }
}

Value Evaluator::EvalName(const Expr& e, Env* env) {
  NameId name = e.name();
  for (Env* scope = env; scope != nullptr; scope = scope->outer) {
    auto found = scope->vars.find(name);
    if (found != scope->vars.end()) {
      const Value& value = found->second;
      failed_ |= value.failed();  // what a statement with an error would have given it
      if (!value.given() && !value.failed() && value.obj != nullptr) {
        set_span(e.span);
        return NotBuilt(native::Text(value));
      }
      return value;
    }
    if (scope->function != nullptr && scope->function->locals.contains(name)) {
      set_span(e.span);
      return Fail(diag::Kind::Name, "the local variable '" + ast_.text(name).str() + "' is used before it has a value");
    }
  }
  Value value = FindBare(name);
  if (!value.given()) {
    set_span(e.span);
    return UnknownName(ast_.text(name));
  }
  return value;
}

Value Evaluator::TooBig() { return Fail(diag::Kind::Python, "Python int too large to convert to C long"); }

Value Evaluator::EvalNumber(const Expr& e) {
  llvm::StringRef text = ast_.text(e.string());
  if (e.kind == ExprKind::Int) {
    unsigned radix = StartsWith(text, "0") && text.size() > 1 && !llvm::isAlpha(text[1]) ? 10 : 0;
    return WholeOfDigits(*this, text, radix);
  }
  double value = strtod(text.rtrim('j').str().c_str(), nullptr);
  return e.kind == ExprKind::Float ? Value::Float(value) : heap_.Complex({0, value});
}

Value Evaluator::EvalFString(const Expr& e, Env* env) {
  std::string out;
  for (ExprId id : ast_.Items(e)) {
    const Expr& part = ast_[id];
    Value value = part.kind == ExprKind::String ? heap_.Str(ast_.text(part.string())) : EvalField(part, env);
    if (value.failed()) {
      return value;
    }
    out += native::Text(value);
    if (!Afford(static_cast<int64_t>(out.size()))) {
      return Value::Error();
    }
  }
  return heap_.Str(std::move(out));
}

Value Evaluator::EvalField(const Expr& e, Env* env) {
  std::string out = e.data >= 0 ? ast_.text(e.string()) : "";
  Value value = Eval(e.a, env);
  Value spec = value.failed() || !e.b.valid() ? Value() : EvalFString(ast_[e.b], env);
  if (value.failed() || spec.failed()) {
    return Value::Error();
  }
  set_span(e.span);
  bool repr = e.op == 'r' || e.op == 'a' || (e.op == 0 && e.data >= 0 && !spec.given());
  if (e.op != 0 || repr) {
    std::optional<std::string> text = Written(value, repr);
    if (!text) {
      return Value::Error();
    }
    value = heap_.Str(std::move(*text));
  }
  std::optional<std::string> text = FormatValue(*this, value, spec.given() ? llvm::StringRef(native::Text(spec)) : "");
  return text ? heap_.Str(out + *text) : Value::Error();
}

// Left operands are followed in a loop: sums of thousands of terms are no deeper than one.
Value Evaluator::EvalBinary(const Expr& e, Env* env) {
  llvm::SmallVector<const Expr*, 8> chain{&e};
  while (ast_[chain.back()->a].kind == ExprKind::Binary) {
    chain.push_back(&ast_[chain.back()->a]);
  }
  Value left = Eval(chain.back()->a, env);
  for (const Expr* node : llvm::reverse(chain)) {
    if (left.failed()) {
      return left;
    }
    Value right = Eval(node->b, env);
    if (right.failed()) {
      return right;
    }
    set_span(node->span);
    left = Binary(node->oper(), left, right);
  }
  return left;
}

Value Evaluator::EvalLogic(const Expr& e, Env* env) {
  Value value;
  llvm::ArrayRef<ExprId> items = ast_.Items(e);
  for (size_t i = 0; i < items.size(); ++i) {
    value = Eval(items[i], env);
    if (value.failed() || i + 1 == items.size()) {
      return value;
    }
    set_span(e.span);
    std::optional<bool> truth = Truth(value);
    if (!truth) {
      return Value::Error();
    }
    if (*truth == (e.kind == ExprKind::Or)) {
      return value;
    }
  }
  return value;
}

// a < b < c is (a < b) and (b < c), b evaluated once.
Value Evaluator::EvalCompare(const Expr& e, Env* env) {
  llvm::ArrayRef<ExprId> items = ast_.Items(e);
  llvm::ArrayRef<Operator> operators = ast_.Operators(e);
  Value left = Eval(items[0], env);
  Value result;
  for (size_t i = 0; i < operators.size(); ++i) {
    Value right = left.failed() ? left : Eval(items[i + 1], env);
    if (right.failed()) {
      return right;
    }
    set_span(e.span);
    result = Compare(operators[i], left, right);
    if (result.failed() || i + 1 == operators.size()) {
      return result;
    }
    std::optional<bool> truth = Truth(result);
    if (!truth || !*truth) {
      return truth ? result : Value::Error();
    }
    left = right;
  }
  return result;
}

Value Evaluator::EvalSubscript(const Expr& e, Env* env) {
  Value object = Eval(e.a, env);
  if (object.failed()) {
    return object;
  }
  if (object.is(VK::DType) && ast_[e.a].kind == ExprKind::Name) {
    return EvalTypeSubscript(object.dtype(), e, env);
  }
  Value index = Eval(e.b, env);
  if (index.failed()) {
    return index;
  }
  set_span(e.span);
  return GetItem(object, index);
}

Value Evaluator::EvalDict(const Expr& e, Env* env) {
  auto* dict = heap_.New<DictObj>();
  Value result = Value::Object(VK::Dict, dict);
  llvm::ArrayRef<ExprId> items = ast_.Items(e);
  for (size_t i = 0; i < items.size(); i += 2) {
    if (!items[i + 1].valid()) {
      Value other = Eval(ast_[items[i]].a, env);
      if (other.failed()) {
        return other;
      }
      set_span(e.span);
      if (!other.is(VK::Dict)) {
        return TypeError("'" + TypeName(other) + "' object is not a mapping");
      }
      std::vector<std::pair<Value, Value>> entries = other.as<DictObj>().items;
      for (const auto& [key, value] : entries) {
        if (!SetItem(result, key, value)) {
          return Value::Error();
        }
      }
      continue;
    }
    Value key = Eval(items[i], env);
    Value value = key.failed() ? key : Eval(items[i + 1], env);
    if (value.failed()) {
      return value;
    }
    set_span(e.span);
    if (!SetItem(result, key, value)) {
      return Value::Error();
    }
  }
  return result;
}

bool Evaluator::RunClauses(const Expr& e, size_t clause, Env* env, const std::function<bool(Env*)>& each) {
  llvm::ArrayRef<ExprId> clauses = ast_.Items(e);
  if (clause == clauses.size()) {
    return each(env);
  }
  const Expr& c = ast_[clauses[clause]];
  Value sequence = Eval(c.b, clause == 0 ? env->outer : env);
  set_span(c.span);
  return !sequence.failed() && ForEach(sequence, [&](const Value& item) {
    if (!Assign(c.a, item, env)) {
      return false;
    }
    for (ExprId condition : ast_.Items(c)) {
      Value value = Eval(condition, env);
      std::optional<bool> truth = value.failed() ? std::nullopt : Truth(value);
      if (!truth || !*truth) {
        return truth.has_value();
      }
    }
    return RunClauses(e, clause + 1, env, each);
  });
}

// Generator expressions are evaluated at once: nothing in the language can tell.
Value Evaluator::EvalComprehension(const Expr& e, Env* env) {
  auto* scope = heap_.New<Env>();
  scope->made = ++envs_made_;
  scope->outer = env;
  std::vector<Value> items;
  auto* dict = heap_.New<DictObj>();
  Value dict_value = Value::Object(VK::Dict, dict);
  bool ok = RunClauses(e, 0, scope, [&](Env* inner) {
    Value value = Eval(e.a, inner);
    if (value.failed()) {
      return false;
    }
    if (e.kind == ExprKind::DictComp) {
      Value mapped = Eval(e.b, inner);
      return !mapped.failed() && SetItem(dict_value, value, mapped);
    }
    items.push_back(value);
    return true;
  });
  if (!ok) {
    return Value::Error();
  }
  if (e.kind == ExprKind::DictComp) {
    return dict_value;
  }
  if (e.kind == ExprKind::SetComp) {
    auto* set = heap_.New<SetObj>();
    bool good = llvm::all_of(items, [&](const Value& item) { return AddToSet(*set, item); });
    return good ? Value::Object(VK::Set, set) : Value::Error();
  }
  if (!TouchItems(items.size())) {
    return Value::Error();
  }
  Value list = heap_.List(std::move(items));
  list.as<SeqObj>().type_name = e.kind == ExprKind::GeneratorComp ? "generator" : "";
  return list;
}

bool Evaluator::EvalItems(llvm::ArrayRef<ExprId> items, Env* env, std::vector<Value>& out) {
  for (ExprId id : items) {
    const Expr& e = ast_[id];
    if (e.kind != ExprKind::Starred) {
      out.push_back(Eval(id, env));
      if (out.back().failed()) {
        return false;
      }
      continue;
    }
    Value sequence = Eval(e.a, env);
    set_span(e.span);
    std::vector<Value> more;
    if (sequence.failed() || !Iterate(sequence, more)) {
      return false;
    }
    out.insert(out.end(), more.begin(), more.end());
    if (!Afford(static_cast<int64_t>(out.size() * sizeof(Value)))) {
      return false;
    }
  }
  return true;
}

Value Evaluator::EvalCall(const Expr& e, Env* env) {
  Value function = Eval(e.a, env);
  if (function.failed()) {
    return function;
  }
  std::vector<Value> args;
  llvm::SmallVector<std::pair<llvm::StringRef, Value>, 4> kwargs;
  for (ExprId id : ast_.Items(e)) {
    const Expr& argument = ast_[id];
    if (argument.kind == ExprKind::Keyword) {
      kwargs.push_back({ast_.text(argument.name()), Eval(argument.a, env)});
      if (kwargs.back().second.failed()) {
        return Value::Error();
      }
    } else if (argument.kind == ExprKind::DoubleStarred) {
      Value dict = Eval(argument.a, env);
      if (dict.failed()) {
        return dict;
      }
      set_span(e.span);
      if (!dict.is(VK::Dict)) {
        return TypeError("the argument behind ** must be a dict, not '" + TypeName(dict) + "'");
      }
      for (const auto& [key, value] : dict.as<DictObj>().items) {
        if (!key.is(VK::Str)) {
          return TypeError("keywords must be strings");
        }
        kwargs.push_back({native::Text(key), value});
      }
    } else if (!EvalItems(id, env, args)) {
      return Value::Error();
    }
  }
  set_span(e.span);
  return CallFunction(function, args, kwargs);
}

Value Evaluator::MakeFunction(FunctionId id, Env* env) {
  const Function& function = ast_[id];
  auto* f = heap_.New<FunctionObj>();
  f->function = id;
  f->closure = env;
  f->prelude = in_prelude();
  for (const Param& param : function.params) {
    f->defaults.push_back(param.default_value.valid() ? Eval(param.default_value, env) : Value());
    if (f->defaults.back().failed()) {
      return Value::Error();
    }
  }
  return Value::Object(VK::Function, f);
}

}  // namespace spmdc::text::native
