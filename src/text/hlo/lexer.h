// Lexer of HLO text: a cursor over the bytes, asked for the token that the grammar wants next. Pieces are StringRefs into
// the text; nothing is allocated.
#pragma once

#include <cstdint>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::text::hlo {

inline bool IsNameChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-'; }

class Lexer {
 public:
  explicit Lexer(llvm::StringRef text) : text_(text) {}

  llvm::StringRef text() const { return text_; }
  size_t pos() const { return at_; }
  void set_pos(size_t at) { at_ = at; }
  llvm::StringRef Slice(size_t begin, size_t end) const { return text_.slice(begin, end); }

  // Blanks, line ends, `/* */` and `//` comments.
  void SkipSpace();
  // The next character after blanks; 0 at the end.
  char Peek() {
    SkipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool AtEnd() {
    SkipSpace();
    return at_ >= text_.size();
  }
  bool Take(char c) {
    if (Peek() != c || at_ >= text_.size()) {
      return false;
    }
    ++at_;
    return true;
  }
  // Takes a token if it is next; a word must not run on.
  bool Take(llvm::StringRef token);
  // A name, with or without `%` (which is taken off); empty if there is none.
  llvm::StringRef Name();
  // The digits of a number with its sign.
  llvm::StringRef Digits();
  // Moves behind the bracket that closes the one at the cursor, over strings and comments. False at the end of the text.
  bool SkipBalanced();
  // The text from here to the next `,` or line end outside brackets and strings (or to a closing bracket), trimmed. A value of
  // an attribute ends at a blank, too, that no bracket follows.
  llvm::StringRef TakeValue(bool value_ends_at_blank = false);
  // To the end of the line.
  void SkipLine();

 private:
  void SkipString();
  llvm::StringRef text_;
  size_t at_ = 0;
};

}  // namespace spmdc::text::hlo
