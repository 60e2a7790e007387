// What is counted as belonging to a line, by indentation.
#include "source/lines.h"

#include <string>

#include "gtest/gtest.h"

namespace spmdc::source {
namespace {

TEST(Lines, DeeperLinesAreCounted) {
  llvm::StringRef text = "ENTRY main {\n  a\n    b\n\tc\n}\nother {\n  d\n}\n";
  EXPECT_EQ(CountIndentedLines(text, 0), 3U);
  EXPECT_EQ(CountIndentedLines(text, 6), 3U);
  EXPECT_EQ(CountIndentedLines(text, text.find("other")), 1U);
}

TEST(Lines, IndentationIsThatOfTheLine) {
  llvm::StringRef text = "module {\n  func @f() {\n    a\n    b\n  }\n  func @g() {\n    c\n  }\n}\n";
  EXPECT_EQ(CountIndentedLines(text, text.find("@f")), 2U);
  EXPECT_EQ(CountIndentedLines(text, text.find("@g")), 1U);
  EXPECT_EQ(CountIndentedLines(text, 0), 7U);
}

TEST(Lines, NothingBehindTheEndOrFarInALine) {
  EXPECT_EQ(CountIndentedLines("", 0), 0U);
  EXPECT_EQ(CountIndentedLines("a {", 1), 0U);
  EXPECT_EQ(CountIndentedLines("a {\n\n  b", 0), 0U);
  std::string text = std::string(100, 'x') + "\n  a\n";
  EXPECT_EQ(CountIndentedLines(text, 10), 1U);
  EXPECT_EQ(CountIndentedLines(text, 90), 0U);
}

}  // namespace
}  // namespace spmdc::source
