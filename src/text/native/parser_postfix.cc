// What stands behind an expression: attributes, calls with their arguments, subscripts.
#include "text/native/parser_impl.h"

namespace spmdc::text::native {

// Attributes, calls and subscripts behind an atom.
ExprId Parser::ParsePostfix() {
  uint32_t begin = Peek().begin;
  if (Is(Tok::KwAwait)) {
    Error(SpanOf(Peek()), "`await` is not part of the language");
    return Fail();
  }
  ExprId value = ParseAtom();
  while (!failed(value)) {
    if (Accept(Tok::Dot)) {
      if (!Is(Tok::Name)) {
        ErrorHere("an attribute's name");
        return Fail();
      }
      Expr e{ExprKind::Attribute};
      e.a = value;
      e.data = ast_.Intern(Text(Take())).index;
      e.span = SpanFrom(begin);
      value = Add(e);
    } else if (Is(Tok::LeftParen)) {
      value = ParseCall(value, begin);
    } else if (Is(Tok::LeftBracket)) {
      value = ParseSubscript(value, begin);
    } else {
      break;
    }
  }
  return value;
}

ExprId Parser::ParseCall(ExprId function, uint32_t begin) {
  Take();
  Arguments arguments;
  while (!Is(Tok::RightParen)) {
    if (!ParseArgument(arguments)) {
      return Fail();
    }
    if (!Is(Tok::RightParen) && !Expect(Tok::Comma, "between arguments")) {
      return Fail();
    }
  }
  Take();
  Expr e{ExprKind::Call};
  e.a = function;
  e.items = ast_.AddList(arguments.list);
  e.span = SpanFrom(begin);
  return Add(e);
}

// a, *a, k=a, **a, or `a for ...` as the only argument.
bool Parser::ParseArgument(Arguments& arguments) {
  uint32_t begin = Peek().begin;
  Expr e;
  if (Is(Tok::Name) && Peek(1).kind == Tok::Equal) {
    e.kind = ExprKind::Keyword;
    e.data = ast_.Intern(Text(Take())).index;
    if (!arguments.keywords.insert(e.data).second) {
      return Error(SpanFrom(begin), "the keyword argument `" + ast_.text(e.name()).str() + "` is given twice");
    }
    Take();
    e.a = ParseExpression();
  } else if (Accept(Tok::StarStar)) {
    e.kind = ExprKind::DoubleStarred;
    arguments.unpacked = true;
    e.a = ParseExpression();
  } else {
    ExprId value = ParseStarOrExpression();
    if (failed(value)) {
      return false;
    }
    if (Is(Tok::KwFor) || Is(Tok::KwAsync)) {
      value = Comprehension(ExprKind::GeneratorComp, begin, value, ExprId::None());
      if (failed(value)) {
        return false;
      }
      if (!arguments.list.empty() || !Is(Tok::RightParen)) {
        return Error(expr(value).span, "a generator expression that is not the only argument needs parentheses");
      }
    }
    bool starred = expr(value).kind == ExprKind::Starred;
    if (arguments.unpacked || (!arguments.keywords.empty() && !starred)) {
      return Error(expr(value).span, "a positional argument stands behind a keyword argument");
    }
    arguments.list.push_back(value);
    return true;
  }
  if (failed(e.a)) {
    return false;
  }
  e.span = SpanFrom(begin);
  arguments.list.push_back(Add(e));
  return !failed(arguments.list.back());
}

ExprId Parser::ParseSubscript(ExprId object, uint32_t begin) {
  Take();
  uint32_t index_begin = Peek().begin;
  if (Is(Tok::RightBracket)) {
    ErrorHere("an index (the type of a scalar is written without brackets)");
    return Fail();
  }
  ExprId index = ParseIndex();
  if (failed(index)) {
    return index;
  }
  if (Is(Tok::Comma) || expr(index).kind == ExprKind::Starred) {
    llvm::SmallVector<ExprId, 8> items{index};
    while (Accept(Tok::Comma)) {
      if (Is(Tok::RightBracket)) {
        break;
      }
      items.push_back(ParseIndex());
      if (failed(items.back())) {
        return items.back();
      }
    }
    Expr tuple{ExprKind::Tuple};
    tuple.items = ast_.AddList(items);
    tuple.span = SpanFrom(index_begin);
    index = Add(tuple);
    if (failed(index)) {
      return index;
    }
  }
  if (!Expect(Tok::RightBracket, "behind an index")) {
    return Fail();
  }
  Expr e{ExprKind::Subscript};
  e.a = object;
  e.b = index;
  e.span = SpanFrom(begin);
  return Add(e);
}

// An element of a subscript: an expression or lower:upper:step.
ExprId Parser::ParseIndex() {
  uint32_t begin = Peek().begin;
  ExprId parts[3];
  size_t part = 0;
  bool slice = false;
  while (true) {
    if (Accept(Tok::Colon)) {
      slice = true;
      if (++part == 3) {
        Error(SpanFrom(begin), "a slice has at most two colons");
        return Fail();
      }
    } else if (parts[part].valid() || Is(Tok::Comma) || Is(Tok::RightBracket)) {
      break;
    } else {
      parts[part] = slice ? ParseExpression() : ParseStarOrExpression();
      if (failed(parts[part])) {
        return parts[part];
      }
    }
  }
  if (!slice && !parts[0].valid()) {
    ErrorHere("an index");
    return Fail();
  }
  if (!slice) {
    return parts[0];
  }
  Expr e{ExprKind::Slice};
  e.a = parts[0];
  e.b = parts[1];
  e.c = parts[2];
  e.span = SpanFrom(begin);
  return Add(e);
}

}  // namespace spmdc::text::native
