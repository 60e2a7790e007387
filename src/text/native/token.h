// Tokens of the native language: Python's, with indentation and line ends as tokens of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace spmdc::text::native {

// Keywords of Python that the language refuses are tokens too, so that each is refused by name.
enum class Tok : uint8_t {
  End,
  Newline,
  Indent,
  Dedent,
  Error,
  Name,
  Int,
  Float,
  Imag,
  String,
  FString,
#define NATIVE_KEYWORD(name, text) name,
#define NATIVE_PUNCTUATION(name, text) name,
#include "text/native/tokens.def"
};

// Bytes [begin, end) of the file. Newline, Dedent and End are empty.
struct Token {
  Tok kind = Tok::End;
  uint32_t begin = 0;
  uint32_t end = 0;
};

// "`def`", "a name", "the end of the line": what the token is, for messages.
llvm::StringRef Describe(Tok kind);
// The spelling of a keyword or a punctuation mark; empty for other kinds.
llvm::StringRef Spelling(Tok kind);
bool IsKeyword(Tok kind);

}  // namespace spmdc::text::native
