// `{key=value key="value", ...}`: metadata and frontend attributes.
#pragma once

#include <string>

#include "text/hlo/lexer.h"

namespace spmdc::text::hlo {

// `key=value key="value" ...`, separated by blanks or commas.
template <typename Callback>
void ForEachField(llvm::StringRef text, Callback callback) {
  text = text.trim();
  text.consume_front("{");
  text.consume_back("}");
  Lexer lex(text);
  while (!lex.AtEnd()) {
    llvm::StringRef key = lex.Name();
    if (key.empty() || !lex.Take('=')) {
      return;
    }
    lex.SkipSpace();
    size_t begin = lex.pos();
    if (lex.Peek() == '"') {
      lex.SkipString();
    } else if (lex.Peek() == '{') {
      lex.SkipBalanced();
    } else {
      lex.set_pos(std::min(text.find_first_of(" ,", begin), text.size()));
    }
    callback(key, lex.Slice(begin, lex.pos()));
    if (lex.pos() == begin) {
      return;
    }
    lex.Take(',');
  }
}

// The value of a quoted string: quotes taken off, escapes replaced.
std::string Unquote(llvm::StringRef quoted);

}  // namespace spmdc::text::hlo
