// Lexer of MLIR text: a cursor over the bytes, asked for the token that the grammar wants next.
//
// MLIR's tokens depend on where they stand (`8x16xf32`, `<@mesh, ...>`), so there is no token stream: the parser says what
// it looks for. Nothing is allocated; every piece of text is a StringRef into the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "support/starts_with.h"

namespace spmdc::text::stablehlo {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool IsWordChar(char c) { return IsLetter(c) || IsDigit(c) || c == '$' || c == '.'; }
// Characters of %value names and @symbol names.
inline bool IsNameChar(char c) { return IsWordChar(c) || c == '-'; }

class Lexer {
 public:
  explicit Lexer(llvm::StringRef text) : text_(text) {}

  llvm::StringRef text() const { return text_; }
  uint32_t pos() const { return static_cast<uint32_t>(at_); }
  void set_pos(size_t at) { at_ = at; }
  // A token that ends at `at` was taken.
  void TakeAt(size_t at) { last_end_ = at_ = at; }
  llvm::StringRef Slice(size_t begin, size_t end) const { return text_.slice(begin, end); }
  // The end of the last token taken.
  uint32_t last_end() const { return static_cast<uint32_t>(last_end_); }

  // Skips blanks, line ends and `//` comments.
  void SkipSpace() {
    auto may_be_skipped = [](char c) { return c <= ' ' || c == '/'; };
    if (at_ >= text_.size() || !may_be_skipped(text_[at_])) {
      return;
    }
    if (text_[at_] == ' ' && at_ + 1 < text_.size() && !may_be_skipped(text_[at_ + 1])) {
      ++at_;  // as between most words
    } else {
      SkipBlanksAndComments();
    }
  }
  // To the end of this line (before the line end).
  void SkipLine() {
    size_t end = text_.find('\n', at_);
    at_ = end == llvm::StringRef::npos ? text_.size() : end;
  }

  // The next character after blanks; 0 at the end of the file.
  char Peek() {
    SkipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // The character `ahead` bytes behind the one that Peek saw.
  char PeekAhead(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool AtEnd() { return Peek() == '\0' && at_ >= text_.size(); }

  // Takes one character if it is next.
  bool Take(char c) {
    if (Peek() != c || at_ >= text_.size()) {
      return false;
    }
    last_end_ = ++at_;
    return true;
  }
  // Takes a token if it is next. One that ends in a letter or digit must not run on as a word.
  template <size_t N>
  bool Take(const char (&token)[N]) {
    constexpr size_t kSize = N - 1;
    if (Peek() != token[0] || text_.size() - at_ < kSize || std::memcmp(text_.data() + at_, token, kSize) != 0 ||
        (IsWordChar(token[kSize - 1]) && IsWordChar(PeekAhead(kSize)))) {
      return false;
    }
    last_end_ = at_ += kSize;
    return true;
  }
  bool Take(llvm::StringRef token) {
    if (Peek() != token.front() || !StartsWith(text_.substr(at_), token)) {
      return false;
    }
    char after = PeekAhead(token.size());
    if (IsWordChar(token.back()) && (IsWordChar(after))) {
      return false;
    }
    last_end_ = at_ += token.size();
    return true;
  }
  // A word: letters, digits, `_`, `$`, `.`, beginning with a letter. Empty if there is none.
  llvm::StringRef Word() {
    if (!IsLetter(Peek())) {
      return {};
    }
    return TakeWhile(IsWordChar);
  }
  // What stands behind a sigil that was just taken; no blanks between.
  llvm::StringRef Name() { return TakeWhile(IsNameChar); }
  // What stands behind a `%` that was just taken: digits alone, or a name that begins with no digit.
  llvm::StringRef ValueName() { return at_ < text_.size() && IsDigit(text_[at_]) ? TakeWhile(IsDigit) : Name(); }
  // The digits of a decimal number, with its sign; empty if there is none.
  llvm::StringRef Digits();
  // A number as it stands: `-1.5E-3`, `0xFF`, `7`; empty if there is none.
  llvm::StringRef Number();
  // A string with its quotes (escapes not replaced); empty if it does not begin or does not end here.
  llvm::StringRef Quoted();

  // Moves behind the bracket that closes the one at the cursor, over strings and nested brackets. `->` is no bracket.
  // False at the end of the file.
  bool SkipBalanced();
  // Moves behind what is left of an op: to the line end where all brackets opened from here on are closed again.
  void SkipOp();

 private:
  template <typename Predicate>
  llvm::StringRef TakeWhile(Predicate predicate) {
    size_t begin = at_;
    while (at_ < text_.size() && predicate(text_[at_])) {
      ++at_;
    }
    last_end_ = at_;
    return text_.slice(begin, at_);
  }
  void SkipString();
  void SkipBlanksAndComments();

  llvm::StringRef text_;
  size_t at_ = 0;
  size_t last_end_ = 0;
};

// Where `needle` stands first in `text` from `from` on; npos if nowhere. Fast over long texts.
size_t FindText(llvm::StringRef text, llvm::StringRef needle, size_t from = 0);

// The value of a quoted string: quotes taken off, `\"`, `\\`, `\n`, `\t` and `\XX` replaced.
std::string Unquote(llvm::StringRef quoted);
// A value as a quoted string: what is no plain character as `\XX`.
std::string Quoted(llvm::StringRef value);

}  // namespace spmdc::text::stablehlo
