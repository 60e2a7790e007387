// The file, lines of simple statements, recovery after errors, and what may be assigned to.
#include "llvm/ADT/STLExtras.h"
#include "text/native/parser_impl.h"

namespace spmdc::text::native {

bool Parser::Accept(Tok kind) {
  if (!Is(kind)) {
    return false;
  }
  Take();
  return true;
}

bool Parser::Expect(Tok kind, const char* context) {
  return Accept(kind) || ErrorHere(Describe(kind).str() + " " + context);
}

bool Parser::Error(source::Span span, std::string message, std::string help) {
  if (!statement_failed_) {
    statement_failed_ = true;
    diag::Handle handle = diags_.Error(diag::Kind::Syntax, span, std::move(message));
    if (!help.empty()) {
      handle.Help(std::move(help));
    }
  }
  return false;
}

bool Parser::ErrorHere(const std::string& expected) {
  const Token& found = Peek();
  if (found.kind == Tok::Error || found.begin > unclosed_) {
    statement_failed_ = true;  // the lexer has told
    return false;
  }
  source::Span span = SpanOf(found);
  if (found.begin == found.end && at_ > 0) {
    span = {file_, tokens_[at_ - 1].end, tokens_[at_ - 1].end};
  }
  std::string what = Describe(found.kind).str();
  if (found.kind == Tok::Name || found.kind == Tok::Int || found.kind == Tok::Float || found.kind == Tok::Imag) {
    what = "`" + Text(found).str() + "`";
  }
  return Error(span, "expected " + expected + ", found " + what);
}

bool Parser::TooDeep() {
  if (!too_deep_told_) {
    too_deep_told_ = true;
    diags_.Error(diag::Kind::TooDeep, SpanOf(Peek()),
                 "expressions and blocks may nest " + std::to_string(kMaxNesting) + " deep");
  }
  statement_failed_ = true;
  return false;
}

void Parser::ParseFile() {
  LexResult lexed = Lex(file_, diags_);
  tokens_ = std::move(lexed.tokens);
  unclosed_ = lexed.unclosed;
  scopes_.push_back({});
  ast_.body = ParseStatements(/*file=*/true);
}

ListRange Parser::ParseStatements(bool file) {
  llvm::SmallVector<StmtId, 8> stmts;
  while (!Is(Tok::End) && (file || !Is(Tok::Dedent))) {
    if (Accept(Tok::Dedent)) {
      continue;  // of a block whose header could not be read
    }
    ParseLine(stmts);
  }
  return ast_.AddList(stmts);
}

// One statement, or several on a line; after an error, the rest of the line is skipped.
void Parser::ParseLine(llvm::SmallVectorImpl<StmtId>& out) {
  statement_failed_ = false;
  Nested nested(*this);
  if (nested.too_deep()) {
    TooDeep();
    SkipCompound();
    return;
  }
  if (Is(Tok::Indent)) {
    Error(SpanOf(Peek()), "unexpected indentation");
    Recover();
    return;
  }
  size_t before = at_;
  bool ok = RefuseStatement() && ParseCompound(out);
  // A statement may fail where the next one begins; that one is read.
  bool at_line_start = at_ > before && (tokens_[at_ - 1].kind == Tok::Newline || tokens_[at_ - 1].kind == Tok::Dedent);
  if (!ok && !at_line_start) {
    Recover();
  }
  if (at_ == before && !Is(Tok::End)) {
    Take();
  }
}

// To the start of the next line. A block that opens there is read as statements, for their errors.
void Parser::Recover() {
  while (!Is(Tok::Newline) && !Is(Tok::End) && !Is(Tok::Indent)) {
    Take();
  }
  Accept(Tok::Newline);
  if (Is(Tok::Indent)) {
    Take();
    scopes_.push_back({/*is_function=*/true, /*loops=*/1, {}});
    ParseStatements(/*file=*/false);
    scopes_.pop_back();
    Accept(Tok::Dedent);
  }
  statement_failed_ = false;
}

// Skips a line and the block behind it unread.
void Parser::SkipCompound() {
  while (!Is(Tok::Newline) && !Is(Tok::End)) {
    Take();
  }
  Accept(Tok::Newline);
  if (!Is(Tok::Indent)) {
    return;
  }
  int depth = 0;
  do {
    depth += Is(Tok::Indent) ? 1 : Is(Tok::Dedent) ? -1 : 0;
    Take();
  } while (depth > 0 && !Is(Tok::End));
}

// `: statement` on the line, or a block of lines behind it.
ListRange Parser::ParseBlock() {
  if (!Expect(Tok::Colon, "before a block")) {
    return {};
  }
  llvm::SmallVector<StmtId, 8> stmts;
  if (!Accept(Tok::Newline)) {
    ParseSimple(stmts);
    return ast_.AddList(stmts);
  }
  if (!Is(Tok::Indent)) {
    Error(SpanOf(Peek()), "expected an indented block", "write `pass` for an empty one");
    return {};
  }
  Take();
  ListRange body = ParseStatements(/*file=*/false);
  Accept(Tok::Dedent);
  statement_failed_ = false;  // errors within the block are told and over
  return body;
}

// a; b; c NEWLINE
bool Parser::ParseSimple(llvm::SmallVectorImpl<StmtId>& out) {
  do {
    if (Is(Tok::Newline)) {
      break;
    }
    if (!RefuseStatement()) {
      return false;
    }
    Stmt stmt;
    stmt.span = SpanOf(Peek());
    uint32_t begin = Peek().begin;
    switch (Peek().kind) {
      case Tok::KwPass:
        stmt.kind = StmtKind::Pass;
        Take();
        break;
      case Tok::KwBreak:
      case Tok::KwContinue: {
        stmt.kind = Is(Tok::KwBreak) ? StmtKind::Break : StmtKind::Continue;
        if (scopes_.back().loops == 0) {
          return Error(stmt.span, Describe(Peek().kind).str() + " stands outside a loop");
        }
        Take();
        break;
      }
      case Tok::KwReturn:
        stmt.kind = StmtKind::Return;
        if (!scopes_.back().is_function) {
          return Error(stmt.span, "`return` stands outside a function");
        }
        Take();
        if (!Is(Tok::Newline) && !Is(Tok::Semicolon)) {
          stmt.a = ParseExpressionList(/*star=*/true, "a value");
        }
        break;
      case Tok::KwAssert:
        stmt.kind = StmtKind::Assert;
        Take();
        stmt.a = ParseExpression();
        if (!failed(stmt.a) && Accept(Tok::Comma)) {
          stmt.b = ParseExpression();
        }
        break;
      case Tok::KwImport:
      case Tok::KwFrom:
        if (!ParseImport(out)) {
          return false;
        }
        continue;
      case Tok::KwDef:
      case Tok::KwIf:
      case Tok::KwFor:
      case Tok::KwWith:
      case Tok::At:
        return Error(stmt.span, Describe(Peek().kind).str() + " must begin a line of its own");
      default:
        if (!ParseExpressionStatement(out)) {
          return false;
        }
        continue;
    }
    if ((stmt.a.valid() && failed(stmt.a)) || (stmt.b.valid() && failed(stmt.b))) {
      return false;
    }
    stmt.span = SpanFrom(begin);
    out.push_back(AddStmt(stmt));
  } while (Accept(Tok::Semicolon));
  return Is(Tok::End) || Accept(Tok::Newline) || ErrorHere("the end of the statement");
}

// e | t = t = e | t op= e | t: T = e
bool Parser::ParseExpressionStatement(llvm::SmallVectorImpl<StmtId>& out) {
  static const std::pair<Tok, Operator> kAugmented[] = {{Tok::PlusEqual, Operator::Add},
                                                        {Tok::MinusEqual, Operator::Sub},
                                                        {Tok::StarEqual, Operator::Mul},
                                                        {Tok::SlashEqual, Operator::Div},
                                                        {Tok::SlashSlashEqual, Operator::FloorDiv},
                                                        {Tok::PercentEqual, Operator::Mod},
                                                        {Tok::StarStarEqual, Operator::Pow},
                                                        {Tok::AtEqual, Operator::MatMul},
                                                        {Tok::AmpersandEqual, Operator::And},
                                                        {Tok::BarEqual, Operator::Or},
                                                        {Tok::CaretEqual, Operator::Xor},
                                                        {Tok::LessLessEqual, Operator::ShiftLeft},
                                                        {Tok::GreaterGreaterEqual, Operator::ShiftRight}};
  uint32_t begin = Peek().begin;
  Stmt stmt;
  stmt.a = ParseExpressionList(/*star=*/true, "a statement");
  if (failed(stmt.a)) {
    return false;
  }
  const auto* augmented = llvm::find_if(kAugmented, [&](const auto& entry) { return entry.first == Peek().kind; });
  if (augmented != std::end(kAugmented)) {
    Take();
    stmt.kind = StmtKind::AugAssign;
    stmt.op = static_cast<uint8_t>(augmented->second);
    if (!CheckTarget(stmt.a, /*augmented=*/true)) {
      return false;
    }
    stmt.b = ParseExpressionList(/*star=*/true, "a value");
  } else if (Accept(Tok::Colon)) {
    stmt.kind = StmtKind::AnnAssign;
    if (expr(stmt.a).kind == ExprKind::Tuple || expr(stmt.a).kind == ExprKind::List) {
      return Error(expr(stmt.a).span, "only a single target can be annotated");
    }
    if (!CheckTarget(stmt.a)) {
      return false;
    }
    stmt.b = ParseExpression();
    if (!failed(stmt.b) && Accept(Tok::Equal)) {
      stmt.c = ParseExpressionList(/*star=*/true, "a value");
    }
  } else if (Is(Tok::Equal)) {
    stmt.kind = StmtKind::Assign;
    llvm::SmallVector<ExprId, 2> targets;
    while (Accept(Tok::Equal)) {
      if (!CheckTarget(stmt.a)) {
        return false;
      }
      targets.push_back(stmt.a);
      stmt.a = ParseExpressionList(/*star=*/true, "a value");
      if (failed(stmt.a)) {
        return false;
      }
    }
    stmt.items = ast_.AddList(targets);
  } else {
    stmt.kind = StmtKind::Expression;
  }
  if ((stmt.b.valid() && failed(stmt.b)) || (stmt.c.valid() && failed(stmt.c))) {
    return false;
  }
  stmt.span = SpanFrom(begin);
  out.push_back(AddStmt(stmt));
  return true;
}

void Parser::Assigns(NameId name) { scopes_.back().locals.insert(name); }

bool Parser::CheckTarget(ExprId target, bool augmented) {
  const Expr& e = expr(target);
  switch (e.kind) {
    case ExprKind::Name:
      Assigns(e.name());
      return true;
    case ExprKind::Attribute:
    case ExprKind::Subscript:
      return true;
    case ExprKind::Tuple:
    case ExprKind::List: {
      if (augmented) {
        break;
      }
      int stars = 0;
      for (ExprId item : ast_.Items(e)) {
        bool star = expr(item).kind == ExprKind::Starred;
        stars += star ? 1 : 0;
        if (!CheckTarget(star ? expr(item).a : item)) {
          return false;
        }
      }
      return stars <= 1 || Error(e.span, "an assignment has at most one starred target");
    }
    case ExprKind::Starred:
      return Error(e.span, "a starred target must stand in a tuple or a list");
    default:
      break;
  }
  const char* what = "an expression";
  switch (e.kind) {
    case ExprKind::Call:
      what = "a call";
      break;
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Imag:
    case ExprKind::String:
      what = "a constant";
      break;
    case ExprKind::True:
    case ExprKind::False:
    case ExprKind::None:
    case ExprKind::Ellipsis:
      what = "a constant";
      break;
    case ExprKind::Compare:
      what = "a comparison";
      break;
    case ExprKind::Lambda:
      what = "a lambda";
      break;
    case ExprKind::Tuple:
    case ExprKind::List:
      what = "a tuple with an operator";
      break;
    default:
      break;
  }
  return Error(e.span, std::string("cannot assign to ") + what,
               e.kind == ExprKind::Compare || augmented ? "" : "write `==` to compare");
}

void Parse(source::FileId file, Ast& ast, diag::Engine& diags) { Parser(file, ast, diags).ParseFile(); }

}  // namespace spmdc::text::native
