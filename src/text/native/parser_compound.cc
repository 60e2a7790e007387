// Statements with blocks, function headers, imports, and the statements of Python that are refused.
#include "llvm/ADT/STLExtras.h"
#include "text/native/parser_impl.h"

namespace spmdc::text::native {
namespace {

struct Refused {
  Tok kind;
  const char* what;
  const char* help;
};

const Refused kRefused[] = {
    {Tok::KwClass, "class", "use functions, tuples and dicts"},
    {Tok::KwWhile, "while", "use `for` over a static sequence, or `while_loop` and `fori_loop` over arrays"},
    {Tok::KwTry, "try", "there are no exceptions in the language"},
    {Tok::KwRaise, "raise", "use `assert condition, message`"},
    {Tok::KwDel, "del", "names need not be deleted"},
    {Tok::KwGlobal, "global", "pass values as arguments and return them"},
    {Tok::KwNonlocal, "nonlocal", "pass values as arguments and return them"},
    {Tok::KwAsync, "async", ""},
    {Tok::KwAwait, "await", ""},
    {Tok::KwYield, "yield", "return a list or a tuple"},
};

}  // namespace

// Whether a line begins a `match` statement: match subject: NEWLINE INDENT case. (`match` is a name elsewhere.)
bool Parser::IsMatchStatement() const {
  if (!Is(Tok::Name) || Text(Peek()) != "match") {
    return false;
  }
  size_t i = at_ + 1;
  while (i + 2 < tokens_.size() && tokens_[i].kind != Tok::Newline) {
    ++i;
  }
  return i + 2 < tokens_.size() && tokens_[i - 1].kind == Tok::Colon && tokens_[i + 1].kind == Tok::Indent &&
         tokens_[i + 2].kind == Tok::Name && Text(tokens_[i + 2]) == "case";
}

// False, with an error, for a statement of Python that is not part of the language.
bool Parser::RefuseStatement() {
  if (IsMatchStatement()) {
    Error(SpanOf(Peek()), "`match` is not part of the language", "use `if` and `elif`");
    SkipCompound();
    return false;
  }
  const auto* refused = llvm::find_if(kRefused, [&](const Refused& r) { return Is(r.kind); });
  if (refused == std::end(kRefused)) {
    return true;
  }
  Error(SpanOf(Peek()), std::string("`") + refused->what + "` is not part of the language", refused->help);
  if (refused->kind == Tok::KwTry) {
    // Its handlers belong to the same mistake.
    SkipCompound();
    while (Is(Tok::KwExcept) || Is(Tok::KwFinally) || Is(Tok::KwElse)) {
      SkipCompound();
    }
  }
  return false;
}

bool Parser::ParseCompound(llvm::SmallVectorImpl<StmtId>& out) {
  switch (Peek().kind) {
    case Tok::KwIf:
      return ParseIf(out);
    case Tok::KwFor:
      return ParseFor(out);
    case Tok::KwWith:
      return ParseWith(out);
    case Tok::KwDef:
    case Tok::At:
      return ParseDef(out);
    case Tok::KwElif:
    case Tok::KwElse:
    case Tok::KwExcept:
    case Tok::KwFinally:
      return Error(SpanOf(Peek()), Describe(Peek().kind).str() + " follows no matching statement");
    default:
      return ParseSimple(out);
  }
}

bool Parser::ParseIf(llvm::SmallVectorImpl<StmtId>& out) {
  // An `elif` is an `if` in the else branch; the chain is read in a loop and closed from its end.
  llvm::SmallVector<Stmt, 4> chain;
  ListRange last;
  bool ok = true;
  do {
    Stmt stmt;
    stmt.kind = StmtKind::If;
    uint32_t begin = Take().begin;
    stmt.a = ParseExpression();
    if (failed(stmt.a)) {
      return false;
    }
    stmt.span = SpanFrom(begin);
    stmt.body = ParseBlock();
    if (statement_failed_) {
      return false;
    }
    chain.push_back(stmt);
  } while (Is(Tok::KwElif));
  if (Accept(Tok::KwElse)) {
    last = ParseBlock();
    ok = !statement_failed_;
  }
  if (chain.size() > static_cast<size_t>(kMaxNesting)) {
    return TooDeep();
  }
  while (!chain.empty()) {
    Stmt stmt = chain.pop_back_val();
    stmt.orelse = last;
    StmtId id = AddStmt(stmt);
    if (chain.empty()) {
      out.push_back(id);
    } else {
      last = ast_.AddList(llvm::ArrayRef<StmtId>(id));
    }
  }
  return ok;
}

bool Parser::ParseFor(llvm::SmallVectorImpl<StmtId>& out) {
  Stmt stmt;
  stmt.kind = StmtKind::For;
  uint32_t begin = Take().begin;
  stmt.a = ParseTargets();
  if (failed(stmt.a) || !CheckTarget(stmt.a) || !Expect(Tok::KwIn, "behind the variables of `for`")) {
    return false;
  }
  stmt.b = ParseExpressionList(/*star=*/true, "a sequence");
  if (failed(stmt.b)) {
    return false;
  }
  stmt.span = SpanFrom(begin);
  ++scopes_.back().loops;
  stmt.body = ParseBlock();
  --scopes_.back().loops;
  if (statement_failed_) {
    return false;
  }
  out.push_back(AddStmt(stmt));
  if (Is(Tok::KwElse)) {
    Error(SpanOf(Peek()), "`else` of a `for` is not part of the language");
    SkipCompound();
    return false;
  }
  return true;
}

bool Parser::ParseWith(llvm::SmallVectorImpl<StmtId>& out) {
  Stmt stmt;
  stmt.kind = StmtKind::With;
  uint32_t begin = Take().begin;
  llvm::SmallVector<ExprId, 4> items;
  // Brackets may hold the items, or be part of the first one: look what follows their end.
  bool brackets = false;
  if (Is(Tok::LeftParen)) {
    size_t depth = 0;
    size_t i = at_;
    do {
      Tok kind = tokens_[i].kind;
      depth += kind == Tok::LeftParen || kind == Tok::LeftBracket || kind == Tok::LeftBrace ? 1 : 0;
      depth -= kind == Tok::RightParen || kind == Tok::RightBracket || kind == Tok::RightBrace ? 1 : 0;
      ++i;
    } while (depth > 0 && i < tokens_.size());
    brackets = i < tokens_.size() && tokens_[i].kind == Tok::Colon;
  }
  if (brackets) {
    Take();
  }
  if (!ParseWithItems(items, brackets) || (brackets && !Expect(Tok::RightParen, "to close `(`"))) {
    return false;
  }
  stmt.items = ast_.AddList(items);
  stmt.span = SpanFrom(begin);
  stmt.body = ParseBlock();
  if (statement_failed_) {
    return false;
  }
  out.push_back(AddStmt(stmt));
  return true;
}

bool Parser::ParseWithItems(llvm::SmallVectorImpl<ExprId>& items, bool in_brackets) {
  do {
    if (in_brackets && Is(Tok::RightParen)) {
      break;
    }
    items.push_back(ParseExpression());
    if (failed(items.back())) {
      return false;
    }
    ExprId target;
    if (Accept(Tok::KwAs)) {
      target = ParsePostfix();
      if (failed(target) || !CheckTarget(target)) {
        return false;
      }
    }
    items.push_back(target);
  } while (Accept(Tok::Comma));
  return !items.empty() || ErrorHere("a context");
}

bool Parser::ParseDef(llvm::SmallVectorImpl<StmtId>& out) {
  Function function;
  while (Accept(Tok::At)) {
    function.decorators.push_back(ParseExpression());
    if (failed(function.decorators.back()) || !Expect(Tok::Newline, "behind a decorator")) {
      return false;
    }
  }
  if (Is(Tok::KwClass)) {
    return RefuseStatement();
  }
  uint32_t def_begin = Peek().begin;
  if (!Expect(Tok::KwDef, "behind a decorator")) {
    return false;
  }
  if (!Is(Tok::Name)) {
    return ErrorHere("the function's name");
  }
  function.name_span = SpanOf(Peek());
  function.name = ast_.Intern(Text(Take()));
  Assigns(function.name);
  if (!Expect(Tok::LeftParen, "behind the function's name") || !ParseParams(function, Tok::RightParen, true) ||
      !Expect(Tok::RightParen, "behind the parameters")) {
    return false;
  }
  if (Accept(Tok::Arrow)) {
    function.returns = ParseExpression();
    if (failed(function.returns)) {
      return false;
    }
  }
  function.span = SpanFrom(def_begin);
  scopes_.push_back({/*is_function=*/true, 0, {}});
  function.body = ParseBlock();
  function.locals = std::move(scopes_.back().locals);
  scopes_.pop_back();
  if (statement_failed_) {
    return false;
  }
  for (const Param& param : function.params) {
    function.locals.insert(param.name);
  }
  Stmt stmt;
  stmt.kind = StmtKind::Def;
  stmt.span = function.span;
  stmt.data = ast_.functions.Add(std::move(function)).index;
  out.push_back(AddStmt(stmt));
  return true;
}

// a, b: T = e, /, *args, c=e, **kw
bool Parser::ParseParams(Function& function, Tok close, bool annotated) {
  bool keyword_only = false;
  while (!Is(close)) {
    uint32_t begin = Peek().begin;
    if (Accept(Tok::Slash)) {
      if (function.params.empty() || keyword_only) {
        return Error(SpanFrom(begin), "`/` must stand behind the positional parameters");
      }
      for (Param& param : function.params) {
        param.kind = ParamKind::PositionalOnly;
      }
    } else if (Accept(Tok::Star)) {
      if (keyword_only) {
        return Error(SpanFrom(begin), "a function has at most one `*`");
      }
      keyword_only = true;
      if (Is(Tok::Comma)) {
        if (Peek(1).kind == close || Peek(1).kind == Tok::StarStar) {
          return Error(SpanFrom(begin), "a named parameter must follow `*`");
        }
      } else if (!ParseParam(function, ParamKind::Star, annotated)) {
        return false;
      }
    } else if (Accept(Tok::StarStar)) {
      if (!ParseParam(function, ParamKind::DoubleStar, annotated)) {
        return false;
      }
      Accept(Tok::Comma);
      if (!Is(close)) {
        return ErrorHere(Describe(close).str() + " behind the last parameter");
      }
      break;
    } else if (!ParseParam(function, keyword_only ? ParamKind::KeywordOnly : ParamKind::Normal, annotated)) {
      return false;
    }
    if (!Is(close) && !Expect(Tok::Comma, "between parameters")) {
      return false;
    }
  }
  return CheckParams(function);
}

bool Parser::ParseParam(Function& function, ParamKind kind, bool annotated) {
  if (!Is(Tok::Name)) {
    return ErrorHere("a parameter's name");
  }
  Param param;
  param.kind = kind;
  param.span = SpanOf(Peek());
  param.name = ast_.Intern(Text(Take()));
  if (annotated && Accept(Tok::Colon)) {
    param.annotation = kind == ParamKind::Star ? ParseStarOrExpression() : ParseExpression();
    if (failed(param.annotation)) {
      return false;
    }
  }
  if (Is(Tok::Equal)) {
    if (kind == ParamKind::Star || kind == ParamKind::DoubleStar) {
      return Error(SpanOf(Peek()), "a starred parameter has no default");
    }
    Take();
    param.default_value = ParseExpression();
    if (failed(param.default_value)) {
      return false;
    }
  }
  function.params.push_back(param);
  return true;
}

bool Parser::CheckParams(const Function& function) {
  bool defaults = false;
  llvm::DenseSet<NameId> seen;
  for (const Param& param : function.params) {
    if (!seen.insert(param.name).second) {
      return Error(param.span, "two parameters are called `" + ast_.text(param.name).str() + "`");
    }
    if (param.kind == ParamKind::Normal || param.kind == ParamKind::PositionalOnly) {
      if (defaults && !param.default_value.valid()) {
        return Error(param.span, "a parameter without default stands behind one with a default");
      }
      defaults |= param.default_value.valid();
    }
  }
  return true;
}

// A dotted name, which must be one that the language knows.
bool Parser::ParseModule(std::string& module, source::Span& span) {
  uint32_t begin = Peek().begin;
  do {
    if (!Is(Tok::Name)) {
      return ErrorHere("a module's name");
    }
    module += (module.empty() ? "" : ".") + Text(Take()).str();
  } while (Accept(Tok::Dot));
  span = SpanFrom(begin);
  llvm::StringRef top = llvm::StringRef(module).split('.').first;
  if (top != "jax" && top != "numpy" && top != "math" && top != "functools") {
    return Error(span, "the module `" + module + "` is not part of the language",
                 "jax, numpy, math and functools can be imported");
  }
  return true;
}

bool Parser::ParseFromImport(Stmt& stmt) {
  std::string module;
  source::Span span;
  if (Is(Tok::Dot) || Is(Tok::Ellipsis)) {
    return Error(SpanOf(Peek()), "relative imports are not part of the language");
  }
  if (!ParseModule(module, span) || !Expect(Tok::KwImport, "behind the module")) {
    return false;
  }
  bool brackets = Accept(Tok::LeftParen);
  llvm::SmallVector<Import, 2> imports;
  do {
    if (brackets && Is(Tok::RightParen) && !imports.empty()) {
      break;
    }
    if (Is(Tok::Star)) {
      return Error(SpanOf(Peek()), "`import *` is not part of the language", "name what is imported");
    }
    if (!Is(Tok::Name)) {
      return ErrorHere("a name to import");
    }
    Import import{module, "", {}, false, SpanOf(Peek())};
    import.member = Text(Take()).str();
    import.bound = ast_.Intern(import.member);
    if (Accept(Tok::KwAs)) {
      if (!Is(Tok::Name)) {
        return ErrorHere("a name behind `as`");
      }
      import.bound = ast_.Intern(Text(Take()));
      import.aliased = true;
    }
    Assigns(import.bound);
    imports.push_back(std::move(import));
  } while (Accept(Tok::Comma));
  if (brackets && !Expect(Tok::RightParen, "to close `(`")) {
    return false;
  }
  stmt.data = static_cast<int32_t>(ast_.imports.size());
  ast_.imports.push_back(std::move(imports));
  return true;
}

bool Parser::ParseImport(llvm::SmallVectorImpl<StmtId>& out) {
  Stmt stmt;
  stmt.kind = StmtKind::Import;
  uint32_t begin = Peek().begin;
  if (Take().kind == Tok::KwFrom) {
    if (!ParseFromImport(stmt)) {
      return false;
    }
  } else {
    llvm::SmallVector<Import, 2> imports;
    do {
      Import import;
      if (!ParseModule(import.module, import.span)) {
        return false;
      }
      import.bound = ast_.Intern(llvm::StringRef(import.module).split('.').first);
      if (Accept(Tok::KwAs)) {
        if (!Is(Tok::Name)) {
          return ErrorHere("a name behind `as`");
        }
        import.bound = ast_.Intern(Text(Take()));
        import.aliased = true;
      }
      Assigns(import.bound);
      imports.push_back(std::move(import));
    } while (Accept(Tok::Comma));
    stmt.data = static_cast<int32_t>(ast_.imports.size());
    ast_.imports.push_back(std::move(imports));
  }
  stmt.span = SpanFrom(begin);
  out.push_back(AddStmt(stmt));
  return true;
}

}  // namespace spmdc::text::native
