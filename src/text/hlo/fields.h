// `{key=value key="value", ...}`: metadata and frontend attributes.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
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

// `{2,1}`; nothing if the text is no list of integers.
inline std::optional<llvm::SmallVector<int64_t, 4>> IntList(llvm::StringRef text) {
  llvm::SmallVector<int64_t, 4> values;
  Lexer lex(text);
  bool good = lex.Take('{');
  while (good && !lex.Take('}')) {
    int64_t value = 0;
    good = !lex.Digits().getAsInteger(10, value) && (lex.Peek() == '}' || lex.Take(','));
    values.push_back(value);
  }
  return good ? std::optional(std::move(values)) : std::nullopt;
}

// The value of a quoted string: quotes taken off, escapes replaced.
std::string Unquote(llvm::StringRef quoted);

}  // namespace spmdc::text::hlo
