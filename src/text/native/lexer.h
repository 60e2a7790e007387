// Lexer of the native language: bytes to tokens, with Python's rules for indentation, line joining and strings.
//
// Wrong bytes are reported where they stand and left out, so that the parser still sees the rest of the line.
#pragma once

#include <string>
#include <vector>

#include "diag/engine.h"
#include "text/native/token.h"

namespace spmdc::text::native {

struct LexResult {
  std::vector<Token> tokens;
  // Where the innermost bracket opens that is never closed: all lines behind it are joined to one.
  uint32_t unclosed = UINT32_MAX;
};

// All tokens of a file, ending with Newline, Dedents and End. Errors go to diags with kind `syntax`.
LexResult Lex(source::FileId file, diag::Engine& diags);

// Tokens of the expression in bytes [begin, end) of the file, as within brackets: no line ends, no indentation. Ends with
// End. For the replacement fields of f-strings.
std::vector<Token> LexExpression(source::FileId file, uint32_t begin, uint32_t end, diag::Engine& diags);

// The value of a string literal token: prefix and quotes taken off, escapes replaced (unless raw). Reports bad escapes.
std::string StringValue(source::FileId file, Token token, diag::Engine& diags);

// Where the parts of a string literal stand: [body_begin, body_end) between the quotes, and the prefix's letters.
struct StringParts {
  uint32_t body_begin = 0;
  uint32_t body_end = 0;
  bool raw = false;
  bool format = false;
};
StringParts SplitString(llvm::StringRef text, Token token);

// The bytes [begin, end) of a string's body with escapes replaced.
std::string Unescape(source::FileId file, uint32_t begin, uint32_t end, bool raw, diag::Engine& diags);

// The end of the f-string replacement field that begins behind a `{` at `at`: the offset of its `}`, or npos. Strings and
// brackets inside are skipped.
size_t EndOfField(llvm::StringRef text, size_t at, size_t limit);

}  // namespace spmdc::text::native
