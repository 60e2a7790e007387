// The lexer: indentation, line joining, strings, numbers, and errors that leave the rest of the line readable.
#include "text/native/lexer.h"

#include <string>

#include "gtest/gtest.h"

namespace spmdc::text::native {
namespace {

struct Lexed {
  source::SourceManager sources;
  diag::Engine diags{&sources};
  std::vector<Token> tokens;
  source::FileId file;

  explicit Lexed(std::string text) {
    file = sources.Add("t.spmd", std::move(text));
    tokens = Lex(file, diags).tokens;
  }
  // Spellings of names and marks, `>` and `<` for blocks, `;` for line ends.
  std::string Shape() const {
    std::string out;
    for (const Token& t : tokens) {
      std::string text = t.kind == Tok::Newline  ? ";"
                         : t.kind == Tok::Indent ? ">"
                         : t.kind == Tok::Dedent ? "<"
                         : t.kind == Tok::Error  ? "ERROR"
                         : t.kind == Tok::End    ? "$"
                                                 : sources.text(file).slice(t.begin, t.end).str();
      out += (out.empty() ? "" : " ") + text;
    }
    return out;
  }
  std::string Messages() const {
    std::string out;
    for (const diag::Diagnostic& d : diags.all()) {
      out += std::to_string(sources.Locate(d.span).line) + ": " + d.message + "\n";
    }
    return out;
  }
};

TEST(Lexer, IndentationOpensAndClosesBlocks) {
  EXPECT_EQ(Lexed("if a:\n  b\n  if c:\n      d\ne\n").Shape(), "if a : ; > b ; if c : ; > d ; < < e ; $");
}

TEST(Lexer, BlankLinesAndCommentsDoNotIndent) {
  EXPECT_EQ(Lexed("a\n      # far\n\n  \nb # c\n").Shape(), "a ; b ; $");
}

TEST(Lexer, BlocksCloseAtTheEndWithoutNewline) { EXPECT_EQ(Lexed("if a:\n  b").Shape(), "if a : ; > b ; < $"); }

TEST(Lexer, BracketsAndBackslashesJoinLines) {
  EXPECT_EQ(Lexed("f(a,\n     # why\n  b)\nx = \\\n  1\n").Shape(), "f ( a , b ) ; x = 1 ; $");
}

TEST(Lexer, WindowsLineEndsAndByteOrderMark) {
  EXPECT_EQ(Lexed("\xEF\xBB\xBF"
                  "a\r\n\r\nb\r\n")
                .Shape(),
            "a ; b ; $");
}

TEST(Lexer, DedentToNoBlockIsToldOnce) {
  Lexed lexed("if a:\n    b\n  c\n");
  EXPECT_EQ(lexed.Messages(), "3: this indentation matches no block around it\n");
}

TEST(Lexer, MixedTabsAndSpacesAreTold) {
  EXPECT_EQ(Lexed("if a:\n        b\n\tc\n").Messages(), "");
  EXPECT_EQ(Lexed("if a:\n  if b:\n\tc\n").Messages(), "3: tabs and spaces are mixed in this indentation\n");
}

TEST(Lexer, Numbers) {
  Lexed lexed("0 1_000 0xFF 0b1_0 0o17 1. .5 1e3 1.5e-3 2j 1if 1. 00");
  EXPECT_EQ(lexed.Messages(), "");
  std::string kinds;
  for (const Token& t : lexed.tokens) {
    kinds += t.kind == Tok::Int ? "i" : t.kind == Tok::Float ? "f" : t.kind == Tok::Imag ? "j" : "";
  }
  EXPECT_EQ(kinds, "iiiiiffffjifi");
}

TEST(Lexer, WrongNumbers) {
  EXPECT_EQ(Lexed("0x\n1_\n1abc\n012\n0b2\n").Messages(),
            "1: invalid hexadecimal number\n2: invalid number `1_`\n3: invalid number `1abc`\n"
            "4: leading zeros are not permitted in a decimal number\n5: invalid binary number\n");
}

TEST(Lexer, StringValues) {
  Lexed lexed("'a\\n\\x41\\101\\u00e9\\q' r'\\n' \"\"\"x\ny\"\"\" U'v'");
  std::vector<std::string> values;
  for (const Token& t : lexed.tokens) {
    if (t.kind == Tok::String) {
      values.push_back(StringValue(lexed.file, t, lexed.diags));
    }
  }
  EXPECT_EQ(values, (std::vector<std::string>{"a\nAA\xC3\xA9\\q", "\\n", "x\ny", "v"}));
  EXPECT_EQ(lexed.Messages(), "");
}

TEST(Lexer, WrongStrings) {
  EXPECT_EQ(Lexed("x = 'abc\ny = 1\n").Messages(), "1: this string is not closed on its line\n");
  EXPECT_EQ(Lexed("x = '''abc\ny = 1\n").Messages(), "1: this triple-quoted string is never closed\n");
  EXPECT_EQ(Lexed("x = b'abc'\n").Messages(), "1: bytes are not part of the language\n");
}

TEST(Lexer, FStringsMayHoldQuotesInFields) {
  EXPECT_EQ(Lexed("f'{d['k']}' f\"{x!r:>{w}}\" f'{{' f'{a:'").Shape(), "f'{d['k']}' f\"{x!r:>{w}}\" f'{{' f'{a:' ; $");
}

TEST(Lexer, BracketsThatDoNotMatch) {
  EXPECT_EQ(Lexed("f(a]\n").Messages(), "1: `]` does not close `(`\n");
  EXPECT_EQ(Lexed("a)\n").Messages(), "1: `)` closes nothing\n");
  EXPECT_EQ(Lexed("f(a\nb\n").Messages(), "1: `(` is never closed\n");
}

TEST(Lexer, StrayBytes) {
  EXPECT_EQ(Lexed("a ? b\n").Shape(), "a ERROR b ; $");
  EXPECT_EQ(Lexed("\xCE\xB1 = 1\n").Messages(), "1: only ASCII letters may stand outside strings and comments\n");
  EXPECT_EQ(Lexed("a \\ b\n").Messages(), "1: a backslash must stand at the end of its line\n");
}

}  // namespace
}  // namespace spmdc::text::native
