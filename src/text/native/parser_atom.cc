// Atoms: names, constants, strings, and what stands in brackets.
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/parser_impl.h"

namespace spmdc::text::native {

ExprId Parser::ParseAtom() {
  switch (Peek().kind) {
    case Tok::Name:
      return ParseName();
    case Tok::Int:
    case Tok::Float:
    case Tok::Imag:
      return ParseNumber();
    case Tok::String:
    case Tok::FString:
      return ParseStrings();
    case Tok::LeftParen:
      return ParseParenthesized();
    case Tok::LeftBracket:
      return ParseListDisplay();
    case Tok::LeftBrace:
      return ParseBraces();
    default:
      break;
  }
  Expr e;
  e.span = SpanOf(Peek());
  switch (Peek().kind) {
    case Tok::KwTrue:
      e.kind = ExprKind::True;
      break;
    case Tok::KwFalse:
      e.kind = ExprKind::False;
      break;
    case Tok::KwNone:
      e.kind = ExprKind::None;
      break;
    case Tok::Ellipsis:
      e.kind = ExprKind::Ellipsis;
      break;
    case Tok::KwYield:
      Error(e.span, "`yield` is not part of the language", "return a list or a tuple");
      return Fail();
    default:
      ErrorHere("an expression");
      return Fail();
  }
  Take();
  return Add(e);
}

ExprId Parser::ParseName() {
  Expr e{ExprKind::Name};
  e.span = SpanOf(Peek());
  e.data = ast_.Intern(Text(Take())).index;
  return Add(e);
}

ExprId Parser::ParseNumber() {
  Token token = Take();
  Expr e{token.kind == Tok::Int ? ExprKind::Int : token.kind == Tok::Float ? ExprKind::Float : ExprKind::Imag};
  e.span = SpanOf(token);
  std::string digits;
  for (char c : Text(token)) {
    if (c != '_') {
      digits += llvm::toLower(c);
    }
  }
  e.data = ast_.AddString(digits).index;
  return Add(e);
}

// Neighbouring strings are one; with an f-string among them, an f-string.
ExprId Parser::ParseStrings() {
  uint32_t begin = Peek().begin;
  llvm::SmallVector<ExprId, 4> parts;
  bool format = false;
  while (Is(Tok::String) || Is(Tok::FString)) {
    Token token = Take();
    format |= token.kind == Tok::FString;
    if (token.kind == Tok::FString) {
      if (!ParseFStringParts(token, parts)) {
        return Fail();
      }
      continue;
    }
    Expr text{ExprKind::String};
    text.span = SpanOf(token);
    text.data = ast_.AddString(StringValue(file_, token, diags_)).index;
    parts.push_back(Add(text));
  }
  if (!format) {
    std::string joined;
    for (ExprId part : parts) {
      joined += ast_.text(expr(part).string());
    }
    Expr e{ExprKind::String};
    e.span = SpanFrom(begin);
    e.data = ast_.AddString(std::move(joined)).index;
    return Add(e);
  }
  Expr e{ExprKind::FString};
  e.items = ast_.AddList(parts);
  e.span = SpanFrom(begin);
  return Add(e);
}

bool Parser::ParseFStringParts(Token token, llvm::SmallVectorImpl<ExprId>& parts) {
  StringParts split = SplitString(diags_.sources().text(file_), token);
  return ParseFStringBody(split.body_begin, split.body_end, split.raw, /*spec=*/false, parts);
}

// Text with {fields}; in a format spec, braces are not doubled.
bool Parser::ParseFStringBody(uint32_t begin, uint32_t end, bool raw, bool spec, llvm::SmallVectorImpl<ExprId>& parts) {
  llvm::StringRef text = diags_.sources().text(file_);
  std::string literal;
  auto flush = [&](uint32_t from, uint32_t to) { literal += Unescape(file_, from, to, raw, diags_); };
  auto add_literal = [&] {
    if (!literal.empty()) {
      Expr e{ExprKind::String};
      e.span = {file_, begin, end};
      e.data = ast_.AddString(std::move(literal)).index;
      parts.push_back(Add(e));
      literal.clear();
    }
  };
  uint32_t from = begin;
  for (uint32_t at = begin; at < end;) {
    char c = text[at];
    if (!spec && (c == '{' || c == '}') && at + 1 < end && text[at + 1] == c) {
      flush(from, at + 1);
      from = at = at + 2;
    } else if (c == '{') {
      flush(from, at);
      add_literal();
      size_t close = EndOfField(text, at + 1, end);
      if (close == llvm::StringRef::npos) {
        return Error({file_, at, at + 1}, "this `{` of an f-string is never closed", "write {{ for a brace");
      }
      if (!ParseField(at + 1, static_cast<uint32_t>(close), raw, parts)) {
        return false;
      }
      from = at = static_cast<uint32_t>(close) + 1;
    } else if (c == '}' && !spec) {
      return Error({file_, at, at + 1}, "a single `}` stands in an f-string", "write }} for a brace");
    } else {
      at += c == '\\' && !raw && at + 1 < end ? 2 : 1;
    }
  }
  flush(std::min(from, end), end);
  add_literal();
  return true;
}

// expression [=] [!conversion] [:spec]
bool Parser::ParseField(uint32_t begin, uint32_t end, bool raw, llvm::SmallVectorImpl<ExprId>& parts) {
  Nested nested(*this);
  if (nested.too_deep()) {
    return TooDeep();
  }
  llvm::StringRef text = diags_.sources().text(file_);
  // The expression ends at a `:`, or a `!` that is not `!=`, outside brackets and strings.
  uint32_t stop = begin;
  size_t depth = 0;
  for (; stop < end; ++stop) {
    char c = text[stop];
    if (c == '"' || c == '\'') {
      size_t close = text.find(c, stop + 1);
      stop = static_cast<uint32_t>(std::min<size_t>(close, end - 1));
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else if (depth == 0 && (c == ':' || (c == '!' && (stop + 1 == end || text[stop + 1] != '=')))) {
      break;
    }
  }
  Expr e{ExprKind::Field};
  e.span = {file_, begin, end};
  uint32_t expression_end = stop;
  llvm::StringRef before = text.slice(begin, stop).rtrim();
  if (EndsWith(before, "=") && !EndsWith(before, "==") && !EndsWith(before, "!=") && !EndsWith(before, "<=") &&
      !EndsWith(before, ">=")) {
    e.data = ast_.AddString(text.slice(begin, stop).str()).index;
    expression_end = begin + static_cast<uint32_t>(before.size()) - 1;
  }
  if (text.slice(begin, expression_end).trim().empty()) {
    return Error({file_, begin, std::max(begin + 1, end)}, "an f-string's field needs an expression");
  }
  std::vector<Token> outer = LexExpression(file_, begin, expression_end, diags_);
  std::swap(outer, tokens_);
  size_t outer_at = std::exchange(at_, 0);
  e.a = ParseExpressionList(/*star=*/true, "an expression");
  if (!failed(e.a) && !Is(Tok::End)) {
    ErrorHere("the end of the field");
    e.a = Fail();
  }
  std::swap(outer, tokens_);
  at_ = outer_at;
  if (failed(e.a)) {
    return false;
  }
  if (stop < end && text[stop] == '!') {
    char conversion = stop + 1 < end ? text[stop + 1] : '\0';
    if (conversion != 'r' && conversion != 's' && conversion != 'a') {
      return Error({file_, stop, std::min(stop + 2, end)}, "an f-string's conversion is !r, !s or !a");
    }
    e.op = static_cast<uint8_t>(conversion);
    stop += 2;
    if (stop < end && text[stop] != ':') {
      return Error({file_, stop, end}, "expected `:` or `}` behind the conversion");
    }
  }
  if (stop < end) {
    llvm::SmallVector<ExprId, 2> spec;
    if (!ParseFStringBody(stop + 1, end, raw, /*spec=*/true, spec)) {
      return false;
    }
    Expr format{ExprKind::FString};
    format.items = ast_.AddList(spec);
    format.span = {file_, stop + 1, end};
    e.b = Add(format);
  }
  parts.push_back(Add(e));
  return !failed(parts.back());
}

// (), (a), (a, b), (a for ...)
ExprId Parser::ParseParenthesized() {
  uint32_t begin = Take().begin;
  if (Accept(Tok::RightParen)) {
    Expr e{ExprKind::Tuple};
    e.parenthesized = true;
    e.span = SpanFrom(begin);
    return Add(e);
  }
  ExprId value = Fail();
  if (!AtExpressionStart()) {
    ErrorHere("an expression");
    return value;
  }
  ExprId first = ParseStarOrExpression();
  if (failed(first)) {
    return first;
  }
  if (Is(Tok::KwFor) || Is(Tok::KwAsync)) {
    value = Comprehension(ExprKind::GeneratorComp, begin, first, ExprId::None());
  } else if (Is(Tok::Comma)) {
    llvm::SmallVector<ExprId, 8> items{first};
    while (Accept(Tok::Comma)) {
      if (!AtExpressionStart()) {
        break;
      }
      items.push_back(ParseStarOrExpression());
      if (failed(items.back())) {
        return items.back();
      }
    }
    Expr e{ExprKind::Tuple};
    e.items = ast_.AddList(items);
    e.span = SpanFrom(begin);
    value = Add(e);
  } else if (expr(first).kind == ExprKind::Starred) {
    Error(expr(first).span, "a starred expression must stand in a tuple, a list, a set or a call");
    return Fail();
  } else {
    value = first;
  }
  if (failed(value) || !Expect(Tok::RightParen, "to close `(`")) {
    return Fail();
  }
  ast_.exprs[value].parenthesized = true;
  ast_.exprs[value].span = SpanFrom(begin);
  return value;
}

// [], [a, b], [a for ...]
ExprId Parser::ParseListDisplay() {
  uint32_t begin = Take().begin;
  return ParseDisplay(begin, {Tok::RightBracket, "to close `[`", ExprKind::List, ExprKind::ListComp});
}

// {}, {a: b, **c}, {a, b}, and comprehensions of both.
ExprId Parser::ParseBraces() {
  uint32_t begin = Take().begin;
  if (Is(Tok::RightBrace) || Is(Tok::StarStar)) {
    return ParseDictRest(begin, {});
  }
  return ParseDisplay(begin, {Tok::RightBrace, "to close `{`", ExprKind::Set, ExprKind::SetComp});
}

// The elements of a list or set behind its opening sign; a colon behind the first element of braces makes it a dict.
ExprId Parser::ParseDisplay(uint32_t begin, const Display& display) {
  llvm::SmallVector<ExprId, 8> items;
  while (!Is(display.close)) {
    if (!AtExpressionStart()) {
      ErrorHere("an expression");
      return Fail();
    }
    items.push_back(ParseStarOrExpression());
    if (failed(items.back())) {
      return items.back();
    }
    if (items.size() == 1 && display.kind == ExprKind::Set && Is(Tok::Colon)) {
      return ParseDictRest(begin, std::move(items));
    }
    if (items.size() == 1 && (Is(Tok::KwFor) || Is(Tok::KwAsync))) {
      ExprId value = Comprehension(display.comprehension, begin, items[0], ExprId::None());
      if (failed(value) || !Expect(display.close, display.to_close)) {
        return Fail();
      }
      ast_.exprs[value].span = SpanFrom(begin);
      return value;
    }
    if (!Is(display.close) && !Expect(Tok::Comma, "between elements")) {
      return Fail();
    }
  }
  Take();
  Expr e{display.kind};
  e.items = ast_.AddList(items);
  e.span = SpanFrom(begin);
  return Add(e);
}

// Behind `{`, or behind the first key.
ExprId Parser::ParseDictRest(uint32_t begin, llvm::SmallVector<ExprId, 8> entries) {
  while (!Is(Tok::RightBrace)) {
    uint32_t entry = Peek().begin;
    if (entries.size() % 2 == 0 && Accept(Tok::StarStar)) {
      Expr e{ExprKind::DoubleStarred};
      e.a = ParseBinary(1);
      if (failed(e.a)) {
        return e.a;
      }
      e.span = SpanFrom(entry);
      entries.push_back(Add(e));
      entries.push_back(ExprId::None());
    } else {
      if (entries.size() % 2 == 0) {
        entries.push_back(ParseExpression());
      }
      if (failed(entries.back()) || !Expect(Tok::Colon, "behind a key")) {
        return Fail();
      }
      if (expr(entries.back()).kind == ExprKind::Starred) {
        Error(expr(entries.back()).span, "a key cannot be starred");
        return Fail();
      }
      entries.push_back(ParseExpression());
      if (failed(entries.back())) {
        return entries.back();
      }
      if (entries.size() == 2 && (Is(Tok::KwFor) || Is(Tok::KwAsync))) {
        ExprId value = Comprehension(ExprKind::DictComp, begin, entries[0], entries[1]);
        if (failed(value) || !Expect(Tok::RightBrace, "to close `{`")) {
          return Fail();
        }
        ast_.exprs[value].span = SpanFrom(begin);
        return value;
      }
    }
    if (!Is(Tok::RightBrace) && !Expect(Tok::Comma, "between entries")) {
      return Fail();
    }
  }
  Take();
  Expr e{ExprKind::Dict};
  e.items = ast_.AddList(entries);
  e.span = SpanFrom(begin);
  return Add(e);
}

}  // namespace spmdc::text::native
