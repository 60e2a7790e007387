// Expressions with operators, by Python's precedence.
#include "text/native/parser_impl.h"

namespace spmdc::text::native {
namespace {

struct BinaryForm {
  int precedence;  // 0: no binary operator; higher binds tighter
  Operator op;
};

BinaryForm BinaryOf(Tok kind) {
  switch (kind) {
    case Tok::Bar:
      return {1, Operator::Or};
    case Tok::Caret:
      return {2, Operator::Xor};
    case Tok::Ampersand:
      return {3, Operator::And};
    case Tok::LessLess:
      return {4, Operator::ShiftLeft};
    case Tok::GreaterGreater:
      return {4, Operator::ShiftRight};
    case Tok::Plus:
      return {5, Operator::Add};
    case Tok::Minus:
      return {5, Operator::Sub};
    case Tok::Star:
      return {6, Operator::Mul};
    case Tok::Slash:
      return {6, Operator::Div};
    case Tok::SlashSlash:
      return {6, Operator::FloorDiv};
    case Tok::Percent:
      return {6, Operator::Mod};
    case Tok::At:
      return {6, Operator::MatMul};
    default:
      return {0, Operator::Add};
  }
}

}  // namespace

ExprId Parser::Add(Expr e) {
  auto deepest = [&](ExprId id, int extra) {
    if (id.valid()) {
      e.depth = std::max<uint16_t>(e.depth, static_cast<uint16_t>(expr(id).depth + extra));
    }
  };
  // Chains of left operands are walked in a loop, so they cost no depth.
  deepest(e.a, e.kind == ExprKind::Binary ? 0 : 1);
  deepest(e.b, 1);
  deepest(e.c, 1);
  for (ExprId item : ast_.Items(e)) {
    deepest(item, 1);
  }
  if (e.depth > kMaxNesting) {
    TooDeep();
    return Fail();
  }
  return ast_.exprs.Add(e);
}

bool Parser::AtExpressionStart() const {
  switch (Peek().kind) {
    case Tok::Name:
    case Tok::Int:
    case Tok::Float:
    case Tok::Imag:
    case Tok::String:
    case Tok::FString:
    case Tok::Error:
    case Tok::KwFalse:
    case Tok::KwNone:
    case Tok::KwTrue:
    case Tok::KwLambda:
    case Tok::KwNot:
    case Tok::Ellipsis:
    case Tok::LeftParen:
    case Tok::LeftBracket:
    case Tok::LeftBrace:
    case Tok::Plus:
    case Tok::Minus:
    case Tok::Tilde:
    case Tok::Star:
    case Tok::KwAwait:
    case Tok::KwYield:
      return true;
    default:
      return false;
  }
}

// a, b, *c. A star alone, without a comma, is not an expression.
ExprId Parser::ParseExpressionList(bool star, const char* what) {
  uint32_t begin = Peek().begin;
  if (!AtExpressionStart()) {
    ErrorHere(what);
    return Fail();
  }
  ExprId first = star ? ParseStarOrExpression() : ParseExpression();
  if (failed(first)) {
    return first;
  }
  if (!Is(Tok::Comma)) {
    if (expr(first).kind == ExprKind::Starred) {
      Error(expr(first).span, "a starred expression must stand in a tuple, a list, a set or a call");
      return Fail();
    }
    return first;
  }
  llvm::SmallVector<ExprId, 8> items{first};
  while (Accept(Tok::Comma)) {
    if (!AtExpressionStart()) {
      break;
    }
    items.push_back(star ? ParseStarOrExpression() : ParseExpression());
    if (failed(items.back())) {
      return items.back();
    }
  }
  Expr tuple{ExprKind::Tuple};
  tuple.items = ast_.AddList(items);
  tuple.span = SpanFrom(begin);
  return Add(tuple);
}

ExprId Parser::ParseStarOrExpression() {
  if (!Is(Tok::Star)) {
    return ParseExpression();
  }
  uint32_t begin = Take().begin;
  ExprId value = ParseBinary(1);
  if (failed(value)) {
    return value;
  }
  Expr e{ExprKind::Starred};
  e.a = value;
  e.span = SpanFrom(begin);
  return Add(e);
}

// a if b else c | lambda | a or b ...
ExprId Parser::ParseExpression() {
  Nested nested(*this);
  if (nested.too_deep()) {
    TooDeep();
    return Fail();
  }
  if (Is(Tok::KwLambda)) {
    return ParseLambda();
  }
  if (Is(Tok::KwYield)) {
    Error(SpanOf(Peek()), "`yield` is not part of the language", "return a list or a tuple");
    return Fail();
  }
  uint32_t begin = Peek().begin;
  ExprId value = ParseDisjunction();
  if (failed(value)) {
    return value;
  }
  if (Is(Tok::ColonEqual)) {
    Error(SpanOf(Peek()), "`:=` is not part of the language", "assign in a statement of its own");
    return Fail();
  }
  if (!Is(Tok::KwIf)) {
    return value;
  }
  Take();
  ExprId condition = ParseDisjunction();
  if (failed(condition)) {
    return condition;
  }
  if (!Expect(Tok::KwElse, "in a conditional expression")) {
    return Fail();
  }
  ExprId otherwise = ParseExpression();
  if (failed(otherwise)) {
    return otherwise;
  }
  Expr e{ExprKind::Conditional};
  e.a = value;
  e.b = condition;
  e.c = otherwise;
  e.span = SpanFrom(begin);
  return Add(e);
}

ExprId Parser::ParseDisjunction() {
  uint32_t begin = Peek().begin;
  ExprId first = ParseConjunction();
  if (failed(first) || !Is(Tok::KwOr)) {
    return first;
  }
  llvm::SmallVector<ExprId, 4> items{first};
  while (Accept(Tok::KwOr)) {
    items.push_back(ParseConjunction());
    if (failed(items.back())) {
      return items.back();
    }
  }
  Expr e{ExprKind::Or};
  e.items = ast_.AddList(items);
  e.span = SpanFrom(begin);
  return Add(e);
}

ExprId Parser::ParseConjunction() {
  uint32_t begin = Peek().begin;
  ExprId first = ParseNot();
  if (failed(first) || !Is(Tok::KwAnd)) {
    return first;
  }
  llvm::SmallVector<ExprId, 4> items{first};
  while (Accept(Tok::KwAnd)) {
    items.push_back(ParseNot());
    if (failed(items.back())) {
      return items.back();
    }
  }
  Expr e{ExprKind::And};
  e.items = ast_.AddList(items);
  e.span = SpanFrom(begin);
  return Add(e);
}

ExprId Parser::ParseNot() {
  llvm::SmallVector<uint32_t, 2> nots;
  while (Is(Tok::KwNot)) {
    nots.push_back(Take().begin);
  }
  ExprId value = ParseComparison();
  while (!nots.empty() && !failed(value)) {
    Expr e{ExprKind::Unary};
    e.op = static_cast<uint8_t>(Operator::Not);
    e.a = value;
    e.span = SpanFrom(nots.pop_back_val());
    value = Add(e);
  }
  return value;
}

// a < b <= c, a in b, a not in b, a is b, a is not b.
ExprId Parser::ParseComparison() {
  uint32_t begin = Peek().begin;
  ExprId first = ParseBinary(1);
  llvm::SmallVector<ExprId, 4> items{first};
  llvm::SmallVector<Operator, 3> operators;
  while (!failed(items.back())) {
    Operator op;
    switch (Peek().kind) {
      case Tok::EqualEqual:
        op = Operator::Eq;
        break;
      case Tok::NotEqual:
        op = Operator::Ne;
        break;
      case Tok::Less:
        op = Operator::Lt;
        break;
      case Tok::LessEqual:
        op = Operator::Le;
        break;
      case Tok::Greater:
        op = Operator::Gt;
        break;
      case Tok::GreaterEqual:
        op = Operator::Ge;
        break;
      case Tok::KwIn:
        op = Operator::In;
        break;
      case Tok::KwIs:
        op = Peek(1).kind == Tok::KwNot ? Operator::IsNot : Operator::Is;
        break;
      case Tok::KwNot:
        if (Peek(1).kind == Tok::KwIn) {
          op = Operator::NotIn;
          break;
        }
        [[fallthrough]];
      default: {
        if (operators.empty()) {
          return first;
        }
        Expr e{ExprKind::Compare};
        e.items = ast_.AddList(items);
        e.data = ast_.AddOperators(operators);
        e.span = SpanFrom(begin);
        return Add(e);
      }
    }
    at_ += op == Operator::NotIn || op == Operator::IsNot ? 2 : 1;
    operators.push_back(op);
    items.push_back(ParseBinary(1));
  }
  return items.back();
}

// Operators that bind at least so tightly; those of one precedence to the left.
ExprId Parser::ParseBinary(int loosest) {
  uint32_t begin = Peek().begin;
  ExprId left = ParseUnary();
  while (!failed(left)) {
    BinaryForm form = BinaryOf(Peek().kind);
    if (form.precedence < loosest) {
      break;
    }
    Take();
    ExprId right = ParseBinary(form.precedence + 1);
    if (failed(right)) {
      return right;
    }
    Expr e{ExprKind::Binary};
    e.op = static_cast<uint8_t>(form.op);
    e.a = left;
    e.b = right;
    e.span = SpanFrom(begin);
    left = Add(e);
  }
  return left;
}

// -a, +a, ~a; binds looser than **.
ExprId Parser::ParseUnary() {
  llvm::SmallVector<Token, 2> signs;
  while (Is(Tok::Minus) || Is(Tok::Plus) || Is(Tok::Tilde)) {
    signs.push_back(Take());
  }
  ExprId value = ParsePower();
  while (!signs.empty() && !failed(value)) {
    Token sign = signs.pop_back_val();
    Expr e{ExprKind::Unary};
    e.op = static_cast<uint8_t>(sign.kind == Tok::Minus  ? Operator::Neg
                                : sign.kind == Tok::Plus ? Operator::Pos
                                                         : Operator::Invert);
    e.a = value;
    e.span = SpanFrom(sign.begin);
    value = Add(e);
  }
  return value;
}

// a ** b, to the right; b may have a sign.
ExprId Parser::ParsePower() {
  uint32_t begin = Peek().begin;
  ExprId base = ParsePostfix();
  if (failed(base) || !Is(Tok::StarStar)) {
    return base;
  }
  Take();
  Nested nested(*this);
  if (nested.too_deep()) {
    TooDeep();
    return Fail();
  }
  ExprId exponent = ParseUnary();
  if (failed(exponent)) {
    return exponent;
  }
  Expr e{ExprKind::Binary};
  e.op = static_cast<uint8_t>(Operator::Pow);
  e.a = base;
  e.b = exponent;
  e.span = SpanFrom(begin);
  return Add(e);
}

}  // namespace spmdc::text::native
