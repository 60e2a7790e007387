// Blanks, names, balanced brackets.
#include "text/hlo/lexer.h"
#include "support/starts_with.h"

namespace spmdc::text::hlo {

void Lexer::SkipSpace() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
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

bool Lexer::Take(llvm::StringRef token) {
  SkipSpace();
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

llvm::StringRef Lexer::Name() {
  if (Peek() == '%') {
    ++at_;
  }
  size_t begin = at_;
  while (at_ < text_.size() && IsNameChar(text_[at_])) {
    ++at_;
  }
  return text_.slice(begin, at_);
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
  char quote = text_[at_++];
  while (at_ < text_.size() && text_[at_] != quote) {
    at_ += text_[at_] == '\\' ? 2 : 1;
  }
  at_ = at_ < text_.size() ? at_ + 1 : text_.size();
}

bool Lexer::SkipBalanced() {
  int64_t depth = 0;
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == '"') {
      SkipString();
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
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
    if (c == ',' || c == '\n' || c == ')' || c == ']' || c == '}') {
      break;
    }
    if (c == '"') {
      SkipString();
    } else if (c == '(' || c == '[' || c == '{') {
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
  return text_.slice(begin, at_).rtrim();
}

}  // namespace spmdc::text::hlo
