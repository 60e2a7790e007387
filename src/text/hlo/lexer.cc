// Blanks, names, balanced brackets.
#include "text/hlo/lexer.h"
#include "support/starts_with.h"

namespace spmdc::text::hlo {
namespace internal {
namespace {

constexpr std::array<uint8_t, 256> ByteClasses() {
  std::array<uint8_t, 256> classes = {};
  for (int c = 0; c < 128; ++c) {
    bool name =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-';
    bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    classes[static_cast<size_t>(c)] = static_cast<uint8_t>(
        (name ? kNameChar : 0) | (opens ? kOpens : 0) | (closes ? kCloses | kEndsValue : 0) | (c == '"' ? kQuote : 0) |
        (c == ',' || c == '\n' ? kEndsValue : 0) | (blank ? kBlank : 0) | (blank || c == '/' ? kSkipped : 0));
  }
  return classes;
}

}  // namespace

constexpr std::array<uint8_t, 256> kByteClasses = ByteClasses();

}  // namespace internal

using internal::Is;

void Lexer::SkipBlanksAndComments() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (Is(c, internal::kBlank)) {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      size_t end = text_.find("*/", at_ + 2);
      at_ = end == llvm::StringRef::npos ? text_.size() : end + 2;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      SkipLine();
    } else {
      return;
    }
  }
}

void Lexer::SkipLine() {
  size_t end = text_.find('\n', at_);
  at_ = end == llvm::StringRef::npos ? text_.size() : end;
}

bool Lexer::TakeWhole(llvm::StringRef token) {
  llvm::StringRef rest = text_.substr(at_);
  if (!StartsWith(rest, token)) {
    return false;
  }
  if (IsNameChar(token.back()) && rest.size() > token.size() && IsNameChar(rest[token.size()])) {
    return false;
  }
  at_ += token.size();
  return true;
}

llvm::StringRef Lexer::Digits() {
  Peek();
  size_t begin = at_;
  size_t end = at_ < text_.size() && text_[at_] == '-' ? at_ + 1 : at_;
  size_t first = end;
  while (end < text_.size() && llvm::isDigit(text_[end])) {
    ++end;
  }
  if (end == first) {
    return {};
  }
  at_ = end;
  return text_.slice(begin, end);
}

void Lexer::SkipString() {
  char quote = text_[at_];
  size_t from = at_ + 1;
  while (true) {
    size_t end = text_.find(quote, from);
    if (end == llvm::StringRef::npos) {
      at_ = text_.size();
      return;
    }
    // A quote behind an odd number of backslashes is part of the string.
    size_t first = end;
    while (first > at_ + 1 && text_[first - 1] == '\\') {
      --first;
    }
    from = end + 1;
    if ((end - first) % 2 == 0) {
      at_ = from;
      return;
    }
  }
}

bool Lexer::SkipBalanced() {
  int64_t depth = 0;
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (!Is(c, internal::kOpens | internal::kCloses | internal::kQuote)) {
      ++at_;
      continue;
    }
    if (c == '"') {
      SkipString();
      continue;
    }
    if (Is(c, internal::kOpens)) {
      ++depth;
    } else {
      if (--depth <= 0) {
        ++at_;
        return true;
      }
    }
    ++at_;
  }
  return false;
}

llvm::StringRef Lexer::TakeValue(bool value_ends_at_blank) {
  Peek();
  size_t begin = at_;
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (Is(c, internal::kEndsValue)) {
      break;
    }
    if (c == '"') {
      SkipString();
    } else if (Is(c, internal::kOpens)) {
      SkipBalanced();
    } else if (c == ' ' && value_ends_at_blank) {
      // `mesh['a'=4] {'a'}` goes on; a name or a number does not.
      size_t next = text_.find_first_not_of(' ', at_);
      if (next == llvm::StringRef::npos || (text_[next] != '{' && text_[next] != '[' && text_[next] != '(')) {
        break;
      }
      at_ = next;
    } else {
      ++at_;
    }
  }
  return TrimEnd(text_.slice(begin, at_));
}

}  // namespace spmdc::text::hlo
