// Lexer of HLO text: a cursor over the bytes, asked for the token that the grammar wants next. Pieces are StringRefs into
// the text; nothing is allocated.
#pragma once

#include <array>
#include <cstdint>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::text::hlo {

namespace internal {
// What lexing asks about each byte, in one table: it is asked a million times a megabyte.
enum ByteClass : uint8_t {
  kNameChar = 1,
  kOpens = 2,
  kCloses = 4,
  kQuote = 8,
  kEndsValue = 16,
  kBlank = 32,
  kSkipped = 64,  // blanks, and what may begin a comment
};
extern const std::array<uint8_t, 256> kByteClasses;
inline bool Is(char c, int classes) { return (kByteClasses[static_cast<unsigned char>(c)] & classes) != 0; }
}  // namespace internal

inline bool IsNameChar(char c) { return internal::Is(c, internal::kNameChar); }
// Without the blanks at its end.
inline llvm::StringRef TrimEnd(llvm::StringRef text) {
  while (!text.empty() && internal::Is(text.back(), internal::kBlank)) {
    text = text.drop_back();
  }
  return text;
}

class Lexer {
 public:
  explicit Lexer(llvm::StringRef text) : text_(text) {}

  llvm::StringRef text() const { return text_; }
  size_t pos() const { return at_; }
  void set_pos(size_t at) { at_ = at; }
  llvm::StringRef Slice(size_t begin, size_t end) const { return text_.slice(begin, end); }

  // Blanks, line ends, `/* */` and `//` comments.
  void SkipSpace() {
    if (at_ < text_.size() && internal::Is(text_[at_], internal::kSkipped)) {
      SkipBlanksAndComments();
    }
  }
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
  bool Take(llvm::StringRef token) { return Peek() == token.front() && TakeWhole(token); }
  // A name, with or without `%` (which is taken off); empty if there is none.
  llvm::StringRef Name() {
    if (Peek() == '%') {
      ++at_;
    }
    size_t begin = at_;
    while (at_ < text_.size() && IsNameChar(text_[at_])) {
      ++at_;
    }
    return text_.slice(begin, at_);
  }
  // The digits of a number with its sign.
  llvm::StringRef Digits();
  // Moves behind the end of the string that begins at the cursor, or to the end of the text.
  void SkipString();
  // Moves behind the bracket that closes the one at the cursor, over strings and comments. False at the end of the text.
  bool SkipBalanced();
  // The text from here to the next `,` or line end outside brackets and strings (or to a closing bracket), trimmed. A value of
  // an attribute ends at a blank, too, that no bracket follows.
  llvm::StringRef TakeValue(bool value_ends_at_blank = false);
  // To the end of the line.
  void SkipLine();

 private:
  void SkipBlanksAndComments();
  bool TakeWhole(llvm::StringRef token);
  llvm::StringRef text_;
  size_t at_ = 0;
};

}  // namespace spmdc::text::hlo
