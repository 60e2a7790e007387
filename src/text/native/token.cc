// Names and spellings of tokens, for messages.
#include "text/native/token.h"

#include <iterator>

namespace spmdc::text::native {
namespace {

struct TokenText {
  llvm::StringRef described;
  llvm::StringRef spelling;
};

const TokenText kTexts[] = {
    {"the end of the file", ""},
    {"the end of the line", ""},
    {"an indented block", ""},
    {"the end of the block", ""},
    {"a character that is no token", ""},
    {"a name", ""},
    {"an integer", ""},
    {"a number", ""},
    {"a complex number", ""},
    {"a string", ""},
    {"an f-string", ""},
#define NATIVE_KEYWORD(name, text) {"`" text "`", text},
#define NATIVE_PUNCTUATION(name, text) {"`" text "`", text},
#include "text/native/tokens.def"
};

}  // namespace

llvm::StringRef Describe(Tok kind) { return kTexts[static_cast<size_t>(kind)].described; }
llvm::StringRef Spelling(Tok kind) { return kTexts[static_cast<size_t>(kind)].spelling; }
bool IsKeyword(Tok kind) { return kind >= Tok::KwFalse && kind <= Tok::KwYield; }

}  // namespace spmdc::text::native
