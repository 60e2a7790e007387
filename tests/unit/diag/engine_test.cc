// Diagnostics: order, exit codes, and the exact text people see.
#include "diag/engine.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "support/starts_with.h"

namespace spmdc::diag {
namespace {

class EngineTest : public ::testing::Test {
 protected:
  source::SourceManager sources_;
  source::FileId file_ = sources_.Add("mlp.spmd", "x = a @ b\ny = tanh(x)\n");
  Engine diags_{&sources_};
  source::Span At(uint32_t begin, uint32_t end) const { return {file_, begin, end}; }
};

TEST(Kinds, CodesAreDistinctAndExitCodesKnown) {
  std::set<std::string> codes;
  for (Kind kind : AllKinds()) {
    EXPECT_TRUE(codes.insert(Code(kind).str()).second) << Code(kind).str();
    EXPECT_TRUE((std::set<int>{1, 2, 3, 4, 5, 6, 7}.count(ExitCode(kind)) != 0)) << Code(kind).str();
    EXPECT_EQ(Code(kind).lower(), Code(kind).str());
  }
  EXPECT_EQ(Code(Kind::UnknownAxis), "unknown-axis");
  EXPECT_EQ(ExitCode(Kind::UnknownAxis), 4);
}

TEST_F(EngineTest, SortsByPositionAndKeepsTheOrderWithin) {
  diags_.Error(Kind::DtypeRule, At(14, 18), "second");
  diags_.Warning(Kind::Syntax, At(0, 1), "first");
  diags_.Error(Kind::Syntax, At(14, 18), "third");
  std::vector<std::string> messages;
  for (const Diagnostic* d : diags_.Sorted()) {
    messages.push_back(d->message);
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"first", "second", "third"}));
  EXPECT_EQ(diags_.error_count(), 2u);
  EXPECT_EQ(diags_.exit_code(), 4);  // of the first error, not of the warning
}

TEST_F(EngineTest, WarningsDoNotFail) {
  diags_.Warning(Kind::Syntax, At(0, 1), "odd");
  EXPECT_FALSE(diags_.has_errors());
  EXPECT_EQ(diags_.exit_code(), 0);
}

TEST_F(EngineTest, RendersLineCaretNotesAndHelp) {
  diags_.Error(Kind::ContractingSize, At(4, 9), "contracting dims differ in size: 16 and 32")
      .Note(At(0, 1), "`x` is declared here")
      .Note({}, "the mesh has 8 devices")
      .Help("transpose `b`");
  EXPECT_EQ(RenderText(diags_, false),
            "mlp.spmd:1:5: error: contracting dims differ in size: 16 and 32 [contracting-size]\n"
            "x = a @ b\n"
            "    ^~~~~\n"
            "mlp.spmd:1:1: note: `x` is declared here\n"
            "x = a @ b\n"
            "^\n"
            "spmdc: note: the mesh has 8 devices\n"
            "help: transpose `b`\n");
}

TEST_F(EngineTest, RendersWithoutAPosition) {
  diags_.Error(Kind::NoInput, {}, "cannot read 'x.spmd': no such file");
  EXPECT_EQ(RenderText(diags_, false), "spmdc: error: cannot read 'x.spmd': no such file [no-input]\n");
}

TEST_F(EngineTest, ColorsOnlyWhenAsked) {
  diags_.Error(Kind::Syntax, At(0, 1), "odd");
  EXPECT_EQ(RenderText(diags_, false).find('\x1b'), std::string::npos);
  EXPECT_NE(RenderText(diags_, true).find('\x1b'), std::string::npos);
}

TEST_F(EngineTest, StopsAfterTwentyErrors) {
  for (uint32_t i = 0; i < 25; ++i) {
    diags_.Error(Kind::Syntax, {}, "number " + std::to_string(i));
  }
  std::string text = RenderText(diags_, false);
  EXPECT_NE(text.find("number 19 "), std::string::npos);
  EXPECT_EQ(text.find("number 20 "), std::string::npos);
  EXPECT_NE(text.find("spmdc: 5 more errors\n"), std::string::npos);
}

TEST(Render, ShowsCharactersInTheirColumns) {
  source::SourceManager sources;
  std::string line =
      "gr\xC3\xB6\xC3\x9F"
      "e = \xE5\xA4\xA7 @ b";  // the last one is two columns wide
  source::FileId file = sources.Add("wide", line);
  Engine diags(&sources);
  auto at = static_cast<uint32_t>(line.find('@'));
  diags.Error(Kind::Syntax, {file, at, at + 3}, "odd");
  EXPECT_EQ(RenderText(diags, false),
            "wide:1:" + std::to_string(at + 1) + ": error: odd [syntax]\n" + line + "\n           ^~~\n");
}

TEST(Render, TabsAreAsWideAsInATerminal) {
  source::SourceManager sources;
  std::string line = "a\t\xC3\xB6 @";
  source::FileId file = sources.Add("tab", line);
  Engine diags(&sources);
  auto at = static_cast<uint32_t>(line.find('@'));
  diags.Error(Kind::Syntax, {file, at, at + 1}, "odd");
  EXPECT_EQ(RenderText(diags, false), "tab:1:6: error: odd [syntax]\na       \xC3\xB6 @\n          ^\n");
}

TEST(Render, CutsLongLinesAroundTheCaretAndMasksBytes) {
  source::SourceManager sources;
  std::string line(1000, 'a');
  line[500] = '@';
  line[499] = '\xC3';
  source::FileId file = sources.Add("long", line);
  Engine diags(&sources);
  diags.Error(Kind::Syntax, {file, 500, 501}, "odd");
  std::string text = RenderText(diags, false);
  llvm::StringRef first, second, third;
  std::tie(first, second) = llvm::StringRef(text).split('\n');
  std::tie(second, third) = second.split('\n');
  EXPECT_EQ(first, "long:1:501: error: odd [syntax]");
  EXPECT_LT(second.size(), 180u);
  EXPECT_EQ(second[third.find('^')], '@');
  EXPECT_EQ(second[third.find('^') - 1], '?');
}

TEST(Render, SpansAtTheEndAndOverLines) {
  source::SourceManager sources;
  source::FileId file = sources.Add("short", "ab\ncd");
  Engine diags(&sources);
  diags.Error(Kind::Truncated, {file, 5, 5}, "the text ends here");
  diags.Error(Kind::Syntax, {file, 1, 4}, "two lines");
  EXPECT_EQ(
      RenderText(diags, false),
      "short:1:2: error: two lines [syntax]\nab\n ^\nshort:2:3: error: the text ends here [truncated]\ncd\n  ^\n");
}

TEST(Nearest, FindsOnlyWhatIsNear) {
  std::vector<std::string> axes = {"data", "model"};
  EXPECT_EQ(Nearest("modle", axes), "model");
  EXPECT_EQ(Nearest("x", axes), "");
  EXPECT_EQ(Nearest("dtaa", axes), "data");
  EXPECT_EQ(Nearest("model_", axes), "model");
  EXPECT_EQ(Nearest("y", {"x", "z"}), "");
  EXPECT_EQ(Nearest("optax", {"pmax"}), "");
  EXPECT_EQ(Nearest("dat", axes), "data");
  EXPECT_EQ(Nearest("p['W1']", {"p['b1']", "p['w1']"}), "p['w1']");
}

TEST(LongMessages, AreCutInTheMiddle) {
  source::SourceManager sources;
  Engine diags(&sources);
  diags.Error(Kind::Syntax, {}, "expected this, found " + std::string(100000, 'x') + ", which is long");
  diags.Error(Kind::Syntax, {}, std::string(100, 'y'));
  std::string text;
  for (int i = 0; i < 50000; ++i) {
    text += "\u00e9";
  }
  diags.Error(Kind::Syntax, {}, text);
  llvm::StringRef cut = diags.all()[0].message;
  EXPECT_LT(cut.size(), 2000u);
  EXPECT_TRUE(StartsWith(cut, "expected this, found xxx"));
  EXPECT_TRUE(EndsWith(cut, "xxx, which is long"));
  EXPECT_EQ(diags.all()[1].message, std::string(100, 'y'));
  // Whole characters on both sides.
  std::string accents = diags.all()[2].message;
  size_t dots = accents.find(" ... ");
  EXPECT_EQ(dots % 2, 0u);
  EXPECT_EQ((accents.size() - dots - 5) % 2, 0u);
}

TEST_F(EngineTest, ShowsFiveWarningsOfAKindAndCountsTheOthers) {
  for (int i = 0; i < 9; ++i) {
    diags_.Warning(Kind::Annotation, {}, "ignored " + std::to_string(i));
  }
  diags_.Warning(Kind::UndefinedValue, {}, "another kind");
  std::string text = RenderText(diags_, false);
  size_t shown = 0;
  for (size_t at = text.find("warning: ignored"); at != std::string::npos; at = text.find("warning: ignored", at + 1)) {
    ++shown;
  }
  EXPECT_EQ(shown, 5U);
  EXPECT_NE(text.find("warning: another kind"), std::string::npos);
  EXPECT_NE(text.find("spmdc: 4 more warnings [annotation]\n"), std::string::npos);
}

// As copies of one function do.
TEST_F(EngineTest, ShowsTheSameAtTheSamePlaceOnce) {
  for (int i = 0; i < 2; ++i) {
    diags_.Error(Kind::UnsupportedOp, {file_, 4, 8}, "cannot be partitioned");
    diags_.Error(Kind::UnsupportedOp, {file_, 4, 8}, "has no operands");
    diags_.Error(Kind::UnsupportedOp, {file_, 4, 9}, "cannot be partitioned");
  }
  EXPECT_EQ(diags_.Sorted().size(), 3U);
}

}  // namespace
}  // namespace spmdc::diag
