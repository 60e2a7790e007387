// Running statements.
#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"
#include "text/native/flat.h"
#include "text/native/jit.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

Evaluator::Flow Evaluator::Run(ListRange body, Env* env, Value& result) {
  for (StmtId id : ast_.Stmts(body)) {
    Flow flow = RunOne(ast_[id], env, result);
    if (flow != Flow::Next) {
      return flow;
    }
  }
  return Flow::Next;
}

Evaluator::Flow Evaluator::RunOne(const Stmt& stmt, Env* env, Value& result) {
  if (failed_ || !Step()) {
    return Flow::Fail;
  }
  set_span(stmt.span);
  auto done = [](bool ok) { return ok ? Flow::Next : Flow::Fail; };
  switch (stmt.kind) {
    case StmtKind::Expression:
      return done(!Eval(stmt.a, env).failed());
    case StmtKind::Assign: {
      Value value = Eval(stmt.a, env);
      for (ExprId target : ast_.Items(stmt)) {
        if (value.failed() || !Assign(target, value, env)) {
          return Flow::Fail;
        }
      }
      return Flow::Next;
    }
    case StmtKind::AugAssign: {
      Value old = Eval(stmt.a, env);
      Value value = old.failed() ? old : Eval(stmt.b, env);
      if (value.failed()) {
        return Flow::Fail;
      }
      set_span(stmt.span);
      if (old.is(VK::List) && stmt.oper() == Operator::Add) {
        std::vector<Value> more;
        if (!Iterate(value, more)) {
          return Flow::Fail;
        }
        // A vector that grows is there twice for a moment.
        if (!Afford(2 * static_cast<int64_t>((Items(old).size() + more.size()) * sizeof(Value)))) {
          return Flow::Fail;
        }
        heap_.AddBytes(static_cast<int64_t>(more.size() * sizeof(Value)));
        Items(old).insert(Items(old).end(), more.begin(), more.end());
        return done(Assign(stmt.a, old, env));
      }
      value = Binary(stmt.oper(), old, value);
      return done(!value.failed() && Assign(stmt.a, value, env));
    }
    case StmtKind::AnnAssign: {
      if (!stmt.c.valid() && !flat_) {
        return Flow::Next;
      }
      Value value = Eval(stmt.c.valid() ? stmt.c : stmt.a, env);
      Value annotation = value.failed() ? value : EvalAnnotation(stmt.b, env);
      if (annotation.failed()) {
        return Flow::Fail;
      }
      set_span(stmt.span);
      if (!CheckAnnotation(value, annotation)) {
        return Flow::Fail;
      }
      if (flat_) {
        PlaceByAnnotation(*this, value, annotation);
      }
      return done(!failed_ && Assign(stmt.a, value, env));
    }
    case StmtKind::Return: {
      result = stmt.a.valid() ? Eval(stmt.a, env) : Value::None();
      Env* scope = env;
      while (scope->function == nullptr && scope->outer != nullptr) {
        scope = scope->outer;
      }
      if (!result.failed() && scope->function != nullptr && scope->function->returns.valid()) {
        Value annotation = EvalAnnotation(scope->function->returns, scope->outer);
        set_span(stmt.span);
        if (annotation.failed() || !CheckAnnotation(result, annotation)) {
          return Flow::Fail;
        }
      }
      return result.failed() ? Flow::Fail : Flow::Return;
    }
    case StmtKind::Assert:
      return done(RunAssert(stmt, env));
    case StmtKind::If: {
      Value condition = Eval(stmt.a, env);
      set_span(stmt.span);
      std::optional<bool> truth = condition.failed() ? std::nullopt : Truth(condition);
      return truth ? Run(*truth ? stmt.body : stmt.orelse, env, result) : Flow::Fail;
    }
    case StmtKind::For:
      return RunFor(stmt, env, result);
    case StmtKind::With:
      return RunWith(stmt, env, result);
    case StmtKind::Def:
      return done(Define(stmt, env));
    case StmtKind::Import:
      return done(RunImport(stmt, env));
    case StmtKind::Pass:
      return Flow::Next;
    case StmtKind::Break:
      return Flow::Break;
    case StmtKind::Continue:
      return Flow::Continue;
  }
  return Flow::Next;
}

bool Evaluator::RunAssert(const Stmt& stmt, Env* env) {
  Value condition = Eval(stmt.a, env);
  set_span(stmt.span);
  std::optional<bool> truth = condition.failed() ? std::nullopt : Truth(condition);
  if (!truth || *truth) {
    return truth.has_value();
  }
  Value message = stmt.b.valid() ? Eval(stmt.b, env) : Value();
  if (message.failed()) {
    return false;
  }
  set_span(stmt.span);
  Fail(diag::Kind::Assertion, message.given() ? "assertion failed: " + Str(message) : "assertion failed");
  return false;
}

Evaluator::Flow Evaluator::RunFor(const Stmt& stmt, Env* env, Value& result) {
  Value sequence = Eval(stmt.b, env);
  set_span(stmt.span);
  if (sequence.failed()) {
    return Flow::Fail;
  }
  Flow flow = Flow::Next;
  bool all = ForEach(sequence, [&](const Value& item) {
    flow = Assign(stmt.a, item, env) ? Run(stmt.body, env, result) : Flow::Fail;
    if (flow != Flow::Next && flow != Flow::Continue) {
      return false;
    }
    set_span(stmt.span);
    return true;
  });
  // What ended the walk: the body, or an error of the sequence itself.
  bool by_body = flow == Flow::Break || flow == Flow::Return || flow == Flow::Fail;
  return all || flow == Flow::Break ? Flow::Next : by_body ? flow : Flow::Fail;
}

Evaluator::Flow Evaluator::RunWith(const Stmt& stmt, Env* env, Value& result) {
  llvm::ArrayRef<ExprId> items = ast_.Items(stmt);
  size_t pushed = 0;
  std::vector<MeshObj*> replaced;  // by set_mesh at the top level
  Flow flow = Flow::Next;
  for (size_t i = 0; i < items.size() && flow == Flow::Next; i += 2) {
    Value context = Eval(items[i], env);
    if (context.failed()) {
      flow = Flow::Fail;
      break;
    }
    set_span(stmt.span);
    std::optional<MeshObj*> mesh;
    if (context.is(VK::Mesh)) {
      mesh = &context.as<MeshObj>();
    } else if (context.is(VK::Context)) {
      MeshContext entered = ContextOf(context);
      mesh = entered.mesh;
      if (entered.replaced) {
        replaced.push_back(*entered.replaced);
      }
    } else {
      TypeError("'" + TypeName(context) + "' object does not support the context manager protocol");
      flow = Flow::Fail;
      break;
    }
    if (*mesh != nullptr) {
      tracer_->PushMesh(*mesh);
      ++pushed;
    }
    if (items[i + 1].valid() && !Assign(items[i + 1], context.is(VK::Mesh) ? context : Value::None(), env)) {
      flow = Flow::Fail;
    }
  }
  if (flow == Flow::Next) {
    flow = Run(stmt.body, env, result);
  }
  for (; pushed > 0; --pushed) {
    tracer_->PopMesh();
  }
  for (; !replaced.empty(); replaced.pop_back()) {
    tracer_->SetMesh(replaced.back());
  }
  return flow;
}

bool Evaluator::Define(const Stmt& stmt, Env* env) {
  const Function& function = ast_[stmt.function()];
  std::vector<Value> decorators;
  for (ExprId id : function.decorators) {
    decorators.push_back(Eval(id, env));
    if (decorators.back().failed()) {
      return false;
    }
  }
  Value value = MakeFunction(stmt.function(), env);
  for (size_t i = decorators.size(); i-- > 0 && !value.failed();) {
    set_span(ast_[function.decorators[i]].span);
    value = CallFunction(decorators[i], value);
  }
  if (value.failed()) {
    return false;
  }
  SetName(function.name, value, env);
  return true;
}

// Imports bind the names that are known anyway; what they import must exist.
bool Evaluator::RunImport(const Stmt& stmt, Env* env) {
  for (const Import& import : ast_.imports[static_cast<size_t>(stmt.data)]) {
    set_span(import.span);
    llvm::StringRef path = import.module;
    llvm::StringRef top = path.split('.').first;
    Value value = LookUpBare(top == "numpy" ? "np" : top);
    Value whole = value;
    bool experimental = false;
    while (!(path = path.split('.').second).empty()) {
      llvm::StringRef part = path.split('.').first;
      experimental |= part == "experimental";
      value = part == "experimental" ? value : ImportFrom(value, part, experimental);
      if (value.failed()) {
        return false;
      }
      if (!value.given()) {
        break;
      }
      // `jax.experimental.shard_map` is a module that holds one function of the same name.
      if (!value.is(VK::Module)) {
        value = whole;
        break;
      }
    }
    if (!import.member.empty()) {
      value = value.given() ? ImportFrom(value, import.member, experimental) : value;
      if (value.failed()) {
        return false;
      }
    } else if (!import.aliased) {
      value = whole;
    }
    env->vars[import.bound] = value;
  }
  return true;
}

void Evaluator::SetName(NameId name, const Value& value, Env* env) {
  env->vars[name] = value;
  if (flat_ && value.is(VK::Mesh) && env == file_env_) {
    value.as<MeshObj>().mesh.name = ast_.text(name).str();
  }
  if (value.is(VK::Array) && !in_prelude()) {
    tracer_->NameValue(value, ast_.text(name));
  }
}

bool Evaluator::Assign(ExprId target, const Value& value, Env* env) {
  const Expr& e = ast_[target];
  switch (e.kind) {
    case ExprKind::Name:
      SetName(e.name(), value, env);
      return true;
    case ExprKind::Tuple:
    case ExprKind::List:
      return Unpack(e, value, env);
    case ExprKind::Subscript: {
      Value object = Eval(e.a, env);
      Value index = object.failed() ? object : Eval(e.b, env);
      set_span(e.span);
      return !index.failed() && SetItem(object, index, value);
    }
    case ExprKind::Attribute: {
      Value object = Eval(e.a, env);
      set_span(e.span);
      if (!object.failed()) {
        Fail(diag::Kind::Attribute,
             "'" + TypeName(object) + "' object has no attribute '" + ast_.text(e.name()).str() + "' that can be set");
      }
      return false;
    }
    default:
      Fail(diag::Kind::Syntax, "cannot assign to this expression");
      return false;
  }
}

bool Evaluator::Unpack(const Expr& target, const Value& value, Env* env) {
  llvm::ArrayRef<ExprId> targets = ast_.Items(target);
  std::vector<Value> items;
  source::Span at = at_;
  if (!Iterate(value, items)) {
    return false;
  }
  const auto* star = llvm::find_if(targets, [&](ExprId id) { return ast_[id].kind == ExprKind::Starred; });
  size_t before = static_cast<size_t>(star - targets.begin());
  bool starred = star != targets.end();
  size_t needed = targets.size() - (starred ? 1 : 0);
  set_span(at);
  if (items.size() < needed || (!starred && items.size() > needed)) {
    TypeError(items.size() < needed
                  ? "not enough values to unpack (expected " + std::string(starred ? "at least " : "") +
                        std::to_string(needed) + ", got " + std::to_string(items.size()) + ")"
                  : "too many values to unpack (expected " + std::to_string(needed) + ")");
    return false;
  }
  size_t extra = items.size() - needed;
  for (size_t i = 0, from = 0; i < targets.size(); ++i) {
    if (starred && i == before) {
      std::vector<Value> rest(items.begin() + static_cast<long>(from), items.begin() + static_cast<long>(from + extra));
      from += extra;
      if (!Assign(ast_[targets[i]].a, heap_.List(std::move(rest)), env)) {
        return false;
      }
    } else if (!Assign(targets[i], items[from++], env)) {
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::text::native
