// String literals: where their parts stand, escapes, and the fields of f-strings.
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "text/native/lexer.h"

namespace spmdc::text::native {
namespace {

// Appends a code point in UTF-8; surrogates and numbers beyond Unicode become U+FFFD.
void AppendUtf8(std::string& out, uint32_t code) {
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char* end = buffer;
  if (!llvm::ConvertCodePointToUTF8(code, end)) {
    out += "\xEF\xBF\xBD";
    return;
  }
  out.append(buffer, end);
}

// Reads up to `count` digits of base 16 or 8 at `at`; advances.
uint32_t ReadDigits(llvm::StringRef text, size_t& at, size_t count, unsigned base) {
  uint32_t value = 0;
  for (size_t i = 0; i < count && at < text.size(); ++i, ++at) {
    unsigned digit = llvm::hexDigitValue(text[at]);
    if (digit >= base) {
      break;
    }
    value = value * base + digit;
  }
  return value;
}

char SimpleEscape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
      return c;
    default:
      return '\0';
  }
}

}  // namespace

StringParts SplitString(llvm::StringRef text, Token token) {
  StringParts parts;
  uint32_t at = token.begin;
  for (; text[at] != '"' && text[at] != '\''; ++at) {
    parts.raw |= llvm::toLower(text[at]) == 'r';
    parts.format |= llvm::toLower(text[at]) == 'f';
  }
  char quote = text[at];
  bool triple = at + 5 < token.end && text[at + 1] == quote && text[at + 2] == quote;
  uint32_t width = triple ? 3 : 1;
  parts.body_begin = at + width;
  parts.body_end = token.end - width;
  return parts;
}

std::string Unescape(source::FileId file, uint32_t begin, uint32_t end, bool raw, diag::Engine& diags) {
  llvm::StringRef text = diags.sources().text(file).slice(begin, end);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    char c = text[at++];
    if (c == '\r' && at < text.size() && text[at] == '\n') {
      continue;  // line ends are '\n' in values
    }
    if (c != '\\' || raw || at == text.size()) {
      out += c;
      continue;
    }
    size_t escape = at - 1;
    char kind = text[at++];
    if (char simple = SimpleEscape(kind)) {
      out += simple;
    } else if (kind == '\n') {
      continue;
    } else if (kind >= '0' && kind <= '7') {
      --at;
      AppendUtf8(out, ReadDigits(text, at, 3, 8));
    } else if (kind == 'x' || kind == 'u' || kind == 'U') {
      size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
      size_t first = at;
      uint32_t code = ReadDigits(text, at, digits, 16);
      if (at - first != digits) {
        diags.Error(diag::Kind::Syntax,
                    {file, begin + static_cast<uint32_t>(escape), begin + static_cast<uint32_t>(at)},
                    "this escape needs " + std::to_string(digits) + " hexadecimal digits");
      }
      AppendUtf8(out, code);
    } else if (kind == 'N') {
      diags
          .Error(diag::Kind::Syntax, {file, begin + static_cast<uint32_t>(escape), begin + static_cast<uint32_t>(at)},
                 "escapes by character name are not part of the language")
          .Help("write \\uXXXX");
    } else {
      out += c;
      out += kind;
    }
  }
  return out;
}

std::string StringValue(source::FileId file, Token token, diag::Engine& diags) {
  StringParts parts = SplitString(diags.sources().text(file), token);
  return Unescape(file, parts.body_begin, parts.body_end, parts.raw, diags);
}

size_t EndOfField(llvm::StringRef text, size_t at, size_t limit) {
  size_t depth = 0;
  for (; at < limit; ++at) {
    char c = text[at];
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == '}') {
      if (depth == 0) {
        return at;
      }
      --depth;
    } else if (c == '"' || c == '\'') {
      // An inner string; without its end the quote belongs to the string around.
      size_t close = at + 1;
      while (close < limit && text[close] != c) {
        close += text[close] == '\\' ? 2 : 1;
      }
      if (close >= limit) {
        return llvm::StringRef::npos;
      }
      at = close;
    }
  }
  return llvm::StringRef::npos;
}

}  // namespace spmdc::text::native
