// The cursor over MLIR text: numbers, strings, balanced brackets, the end of an op.
#include "text/stablehlo/lexer.h"

#include "gtest/gtest.h"

namespace spmdc::text::stablehlo {
namespace {

TEST(Lexer, TokensThatEndInLettersDoNotRunOn) {
  Lexer lex(" dims = [0]");
  EXPECT_FALSE(lex.Take("dim"));
  EXPECT_TRUE(lex.Take("dims"));
  EXPECT_TRUE(lex.Take('='));
  EXPECT_TRUE(lex.Take("["));
}

TEST(Lexer, NumbersAsTheyStand) {
  Lexer lex("-1.5E-3, 0xFF80 7x");
  EXPECT_EQ(lex.Number(), "-1.5E-3");
  EXPECT_TRUE(lex.Take(','));
  EXPECT_EQ(lex.Number(), "0xFF80");
  EXPECT_EQ(lex.Digits(), "7");
  EXPECT_EQ(lex.Number(), "");
}

TEST(Lexer, CommentsAreBlank) {
  Lexer lex("  // one\n\t// two\n%a");
  EXPECT_EQ(lex.Peek(), '%');
}

TEST(Lexer, BalancedBracketsWithStringsAndArrows) {
  Lexer lex("({ \"}\" -> <a> []}) rest");
  ASSERT_TRUE(lex.SkipBalanced());
  EXPECT_EQ(lex.text().substr(lex.pos()), " rest");
  Lexer open("({ ");
  EXPECT_FALSE(open.SkipBalanced());
}

TEST(Lexer, AnOpEndsWithItsLineUnlessBracketsAreOpen) {
  Lexer lex("bad(%a) ({\n  inner\n}) : x\nnext");
  lex.SkipOp();
  EXPECT_EQ(lex.text().substr(lex.pos()), "\nnext");
}

TEST(Lexer, AStringEndsOnItsLine) {
  Lexer lex("\"a\\\"b\" \"open\n\"");
  EXPECT_EQ(Unquote(lex.Quoted()), "a\"b");
  EXPECT_EQ(lex.Quoted(), "");
}

TEST(Lexer, EscapesOfStrings) { EXPECT_EQ(Unquote("\"\\41\\n\\\\\""), "A\n\\"); }

}  // namespace
}  // namespace spmdc::text::stablehlo
