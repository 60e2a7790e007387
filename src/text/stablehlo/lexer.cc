// Numbers, strings and the skipping of balanced brackets.
#include "text/stablehlo/lexer.h"

#include <cstring>

#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"

namespace spmdc::text::stablehlo {

llvm::StringRef Lexer::Digits() {
  Peek();
  size_t begin = at_;
  size_t end = at_ < text_.size() && text_[at_] == '-' ? at_ + 1 : at_;
  size_t first = end;
  while (end < text_.size() && IsDigit(text_[end])) {
    ++end;
  }
  if (end == first) {
    return {};
  }
  last_end_ = at_ = end;
  return text_.slice(begin, end);
}

llvm::StringRef Lexer::Number() {
  char c = Peek();
  size_t begin = at_;
  size_t end = at_;
  if (c == '-' || c == '+') {
    ++end;
  }
  if (end >= text_.size() || !IsDigit(text_[end])) {
    return {};
  }
  bool hex = StartsWith(text_.substr(end), "0x");
  for (; end < text_.size(); ++end) {
    char d = text_[end];
    bool exponent_sign = !hex && (d == '+' || d == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
    bool in_number = hex ? llvm::isHexDigit(d) || d == 'x' : IsDigit(d) || d == '.' || d == 'e' || d == 'E';
    if (!in_number && !exponent_sign) {
      break;
    }
  }
  last_end_ = at_ = end;
  return text_.slice(begin, end);
}

void Lexer::SkipString() {
  ++at_;  // the opening quote
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    at_ += text_[at_] == '\\' ? 2 : 1;
  }
  at_ = at_ < text_.size() ? at_ + 1 : text_.size();
}

llvm::StringRef Lexer::Quoted() {
  if (Peek() != '"') {
    return {};
  }
  size_t begin = at_;
  SkipString();
  if (at_ < begin + 2 || text_[at_ - 1] != '"') {
    at_ = begin;
    return {};
  }
  last_end_ = at_;
  return text_.slice(begin, at_);
}

void Lexer::SkipBlanksAndComments() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      SkipLine();
    } else {
      return;
    }
  }
}

bool Lexer::SkipBalanced() {
  int64_t depth = 0;
  while (at_ < text_.size()) {
    char c = text_[at_];
    switch (c) {
      case '"':
        SkipString();
        continue;
      case '/':
        if (PeekAhead(1) == '/') {
          SkipLine();
          continue;
        }
        break;
      case '(':
      case '[':
      case '{':
      case '<':
        ++depth;
        break;
      case '>':
        if (at_ > 0 && text_[at_ - 1] == '-') {
          break;
        }
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        if (--depth <= 0) {
          last_end_ = ++at_;
          return true;
        }
        break;
      default:
        break;
    }
    ++at_;
  }
  return false;
}

void Lexer::SkipOp() {
  while (at_ < text_.size() && text_[at_] != '\n') {
    char c = text_[at_];
    if (c == '"') {
      SkipString();
    } else if (c == '{' || c == '(' || c == '[') {
      SkipBalanced();
    } else if (c == '}') {
      return;  // closes what the op stands in
    } else {
      ++at_;
    }
  }
}

size_t FindText(llvm::StringRef text, llvm::StringRef needle, size_t from) {
  if (from >= text.size()) {
    return llvm::StringRef::npos;
  }
  const void* found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return found == nullptr ? llvm::StringRef::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

std::string Unquote(llvm::StringRef quoted) {
  llvm::StringRef body = quoted.drop_front().drop_back();
  if (!body.contains('\\')) {
    return body.str();
  }
  std::string value;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      value += body[i];
      continue;
    }
    char c = body[++i];
    if (c == 'n' || c == 't') {
      value += c == 'n' ? '\n' : '\t';
    } else if (i + 1 < body.size() && llvm::isHexDigit(c) && llvm::isHexDigit(body[i + 1])) {
      value += static_cast<char>(llvm::hexDigitValue(c) * 16 + llvm::hexDigitValue(body[++i]));
    } else {
      value += c;
    }
  }
  return value;
}

std::string Quoted(llvm::StringRef value) {
  constexpr llvm::StringRef kDigits = "0123456789ABCDEF";
  std::string quoted = "\"";
  for (char c : value) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < ' ' || byte > '~') {
      quoted += '\\';
      quoted += kDigits[byte / 16];
      quoted += kDigits[byte % 16];
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace spmdc::text::stablehlo
