// Going on after an error: statements that do not depend on what failed are run too, so that one run tells of several
// errors. What a failed statement would have assigned is poisoned: whatever uses it fails without a word.
#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {
namespace {

constexpr size_t kMostErrors = 10;

// The names that a statement assigns, or whose objects it changes.
class ChangedNames {
 public:
  explicit ChangedNames(const Ast& ast) : ast_(ast) {}

  void Add(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::Assign:
        AddTargets(ast_.Items(stmt));
        break;
      case StmtKind::AugAssign:
      case StmtKind::AnnAssign:
      case StmtKind::For:
        AddTarget(stmt.a);
        break;
      case StmtKind::Def:
        names.push_back(ast_[stmt.function()].name);
        break;
      case StmtKind::Expression:
        AddReceiver(stmt.a);
        break;
      default:
        break;
    }
    for (ListRange body : {stmt.body, stmt.orelse}) {
      for (StmtId id : ast_.Stmts(body)) {
        Add(ast_[id]);
      }
    }
  }

  std::vector<NameId> names;

 private:
  void AddTargets(llvm::ArrayRef<ExprId> targets) {
    for (ExprId target : targets) {
      AddTarget(target);
    }
  }
  void AddTarget(ExprId id) {
    if (!id.valid()) {
      return;
    }
    const Expr& e = ast_[id];
    switch (e.kind) {
      case ExprKind::Name:
        names.push_back(e.name());
        break;
      case ExprKind::Tuple:
      case ExprKind::List:
        AddTargets(ast_.Items(e));
        break;
      case ExprKind::Subscript:
      case ExprKind::Attribute:
      case ExprKind::Starred:
        AddTarget(e.a);
        break;
      default:
        break;
    }
  }
  // xs.append(...) changes xs.
  void AddReceiver(ExprId id) {
    if (id.valid() && ast_[id].kind == ExprKind::Call && ast_[ast_[id].a].kind == ExprKind::Attribute) {
      AddTarget(ast_[id].a);
    }
  }

  const Ast& ast_;
};

// After these nothing that follows would mean anything.
bool EndsTheRun(diag::Kind kind, bool top_level) {
  bool exhausted = kind == diag::Kind::TooLarge || kind == diag::Kind::TooDeep;
  // What a file does at top level makes the meshes and functions of everything behind it.
  bool independent = kind == diag::Kind::Name || kind == diag::Kind::Attribute || kind == diag::Kind::Assertion ||
                     kind == diag::Kind::NotInLanguage;
  return exhausted || (top_level && !independent);
}

}  // namespace

bool Evaluator::GoOnAfter(const Stmt& stmt, Env* env) {
  const std::vector<diag::Diagnostic> told(diags_->all().begin(), diags_->all().end());
  if (told.empty() ? !later_ : EndsTheRun(told.back().kind, env == file_env_)) {
    return false;
  }
  size_t errors = first_diags_.error_count() + (later_ ? later_->error_count() : 0);
  if (errors >= kMostErrors || flat_) {
    return false;
  }
  if (!later_) {
    later_ = std::make_unique<diag::Engine>(&first_diags_.sources());
    diags_ = later_.get();
  }
  ChangedNames changed(ast_);
  changed.Add(stmt);
  for (NameId name : changed.names) {
    SetName(name, Value::Error(), env);
  }
  failed_ = false;
  return true;
}

Evaluator::Flow Evaluator::RunAll(ListRange body, Env* env, Value& result) {
  bool failed = false;
  for (StmtId id : ast_.Stmts(body)) {
    Flow flow = RunOne(ast_[id], env, result);
    if (flow == Flow::Fail && GoOnAfter(ast_[id], env)) {
      failed = true;
      continue;
    }
    if (flow != Flow::Next) {
      failed_ |= failed;
      return failed ? Flow::Fail : flow;
    }
  }
  failed_ |= failed;
  return failed ? Flow::Fail : Flow::Next;
}

void Evaluator::TellLater() {
  if (!later_) {
    return;
  }
  const diag::Diagnostic first =
      *llvm::find_if(first_diags_.all(), [](const diag::Diagnostic& d) { return d.severity == diag::Severity::Error; });
  std::vector<source::Span> places{first.span};
  diags_ = &first_diags_;
  for (const diag::Diagnostic& d : later_->all()) {
    // Errors are told in order of position, and the first one stays the first.
    bool behind = d.span.file == first.span.file && d.span.begin > first.span.begin;
    if (!behind || llvm::is_contained(places, d.span)) {
      continue;
    }
    places.push_back(d.span);
    Tell(d);
  }
}

}  // namespace spmdc::text::native
