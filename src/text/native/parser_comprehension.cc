// Lambdas and comprehensions: expressions with names of their own.
#include "text/native/parser_impl.h"

namespace spmdc::text::native {

ExprId Parser::ParseLambda() {
  uint32_t begin = Take().begin;
  Function function;
  if (!ParseParams(function, Tok::Colon, /*annotated=*/false) || !Expect(Tok::Colon, "in a lambda")) {
    return Fail();
  }
  scopes_.push_back({/*is_function=*/true, 0, {}});
  function.value = ParseExpression();
  scopes_.pop_back();
  if (failed(function.value)) {
    return function.value;
  }
  for (const Param& param : function.params) {
    function.locals.insert(param.name);
  }
  function.span = SpanFrom(begin);
  Expr e{ExprKind::Lambda};
  e.span = function.span;
  e.depth = static_cast<uint16_t>(expr(function.value).depth + 1);
  e.data = ast_.functions.Add(std::move(function)).index;
  return Add(e);
}

// Targets are no comparisons, so `in` ends them.
ExprId Parser::ParseTargets() {
  uint32_t begin = Peek().begin;
  llvm::SmallVector<ExprId, 4> targets;
  bool comma = false;
  do {
    if (!AtExpressionStart()) {
      break;
    }
    uint32_t star = Peek().begin;
    bool starred = Accept(Tok::Star);
    ExprId target = ParseBinary(1);
    if (failed(target)) {
      return target;
    }
    if (starred) {
      Expr s{ExprKind::Starred};
      s.a = target;
      s.span = SpanFrom(star);
      target = Add(s);
    }
    targets.push_back(target);
    comma |= Is(Tok::Comma);
  } while (Accept(Tok::Comma));
  if (targets.empty()) {
    ErrorHere("a variable behind `for`");
    return Fail();
  }
  if (!comma) {
    return targets[0];
  }
  Expr tuple{ExprKind::Tuple};
  tuple.items = ast_.AddList(targets);
  tuple.span = SpanFrom(begin);
  return Add(tuple);
}

// The clauses behind the element(s): for a in b if c for ...
bool Parser::ParseClauses(llvm::SmallVectorImpl<ExprId>& clauses) {
  scopes_.push_back({scopes_.back().is_function, 0, {}});
  bool ok = true;
  while (ok && (Is(Tok::KwFor) || Is(Tok::KwAsync))) {
    uint32_t begin = Peek().begin;
    if (Is(Tok::KwAsync)) {
      ok = Error(SpanOf(Peek()), "`async` is not part of the language");
      break;
    }
    Take();
    Expr e{ExprKind::Clause};
    e.a = ParseTargets();
    ok = !failed(e.a) && CheckTarget(e.a) && Expect(Tok::KwIn, "behind the variables of `for`");
    e.b = ok ? ParseDisjunction() : e.b;
    ok = ok && !failed(e.b);
    llvm::SmallVector<ExprId, 2> conditions;
    while (ok && Accept(Tok::KwIf)) {
      conditions.push_back(ParseDisjunction());
      ok = !failed(conditions.back());
    }
    e.items = ast_.AddList(conditions);
    e.span = SpanFrom(begin);
    clauses.push_back(ok ? Add(e) : Fail());
    ok = ok && !failed(clauses.back());
  }
  scopes_.pop_back();
  return ok;
}

ExprId Parser::Comprehension(ExprKind kind, uint32_t begin, ExprId element, ExprId value) {
  ExprKind element_kind = expr(element).kind;
  if (element_kind == ExprKind::Starred || element_kind == ExprKind::DoubleStarred) {
    Error(expr(element).span, "a comprehension's element cannot be unpacked");
    return Fail();
  }
  llvm::SmallVector<ExprId, 2> clauses;
  if (!ParseClauses(clauses)) {
    return Fail();
  }
  Expr e{kind};
  e.a = element;
  e.b = value;
  e.items = ast_.AddList(clauses);
  e.span = SpanFrom(begin);
  return Add(e);
}

}  // namespace spmdc::text::native
