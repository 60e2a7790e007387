// Which entry is about which leaf.
#include "specs/matcher.h"

#include "gtest/gtest.h"

namespace spmdc::specs {
namespace {

TEST(Globs, StarsAndQuestionMarks) {
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("**", "abc"));
  EXPECT_TRUE(MatchesGlob("a*c", "abbc"));
  EXPECT_TRUE(MatchesGlob("a*b*c", "axbxbyc"));
  EXPECT_TRUE(MatchesGlob("layer?['q']", "layer7['q']"));
  EXPECT_FALSE(MatchesGlob("layer?['q']", "layer17['q']"));
  EXPECT_FALSE(MatchesGlob("?", ""));
  EXPECT_FALSE(MatchesGlob("a*", "ba"));
  EXPECT_FALSE(MatchesGlob("[ab]*", "a"));
}

TEST(Globs, ManyStarsTakeNoLongerThanLengths) {
  std::string glob, text(20000, 'a');
  for (int i = 0; i < 2000; ++i) {
    glob += "a*";
  }
  EXPECT_FALSE(MatchesGlob(glob + "b", text));
}

Entry Make(std::string pattern, bool from_option = false) {
  Entry entry;
  entry.pattern = std::move(pattern);
  entry.from_option = from_option;
  return entry;
}

struct Matched {
  std::vector<Entry> entries;
  source::SourceManager sources;
  diag::Engine diags{&sources};
  Matcher matcher{entries, "argument"};

  // The pattern about a leaf.
  std::string Of(size_t index, llvm::ArrayRef<llvm::StringRef> names) {
    const Entry* entry = matcher.Find(index, names);
    return entry == nullptr ? "-" : entry->pattern;
  }
};

TEST(Matcher, TheClosestEntryCounts) {
  Matched m{{Make("*"), Make("p"), Make("p['a']"), Make("p['a']['w']"), Make("3"), Make("*b*")}};
  EXPECT_EQ(m.Of(0, {"p['a']['w']"}), "p['a']['w']");
  EXPECT_EQ(m.Of(1, {"p['a']['v']"}), "p['a']");
  EXPECT_EQ(m.Of(2, {"p['c']"}), "p");
  EXPECT_EQ(m.Of(3, {"x"}), "3");
  EXPECT_EQ(m.Of(4, {"xby"}), "*b*");
  EXPECT_EQ(m.Of(5, {"pp"}), "*");
  EXPECT_TRUE(m.matcher.Finish(m.diags));
}

TEST(Matcher, NamesOfDigitsAreNamesWhereThereAreNoIndices) {
  Matched values{{Make("0"), Make("%1")}};
  EXPECT_EQ(values.Of(Matcher::kNoIndex, {"1"}), "%1");
  EXPECT_EQ(values.Of(Matcher::kNoIndex, {"0"}), "0");
  EXPECT_TRUE(values.matcher.Finish(values.diags));
  Matched arguments{{Make("0")}};
  EXPECT_EQ(arguments.Of(1, {"0"}), "-");
}

TEST(Matcher, OptionsStandAboveTheFile) {
  Matched m{{Make("x"), Make("0"), Make("*", true)}};
  EXPECT_EQ(m.Of(1, {"x"}), "*");
  EXPECT_EQ(m.Of(0, {"y"}), "*");
  EXPECT_TRUE(m.matcher.Finish(m.diags));
}

TEST(Matcher, SeveralNamesOfALeaf) {
  Matched m{{Make("%arg0"), Make("y")}};
  EXPECT_EQ(m.Of(0, {"x", "arg0"}), "%arg0");
  EXPECT_EQ(m.Of(1, {"y", "arg1"}), "y");
  EXPECT_EQ(m.Of(2, {"", "arg2"}), "-");
  EXPECT_TRUE(m.matcher.Finish(m.diags));
}

TEST(Matcher, EntriesAboutNothingAndTwice) {
  Matched m{{Make("xx"), Make("9"), Make("x"), Make("0"), Make("q*")}};
  m.Of(0, {"x"});
  m.Of(0, {"x"});
  EXPECT_FALSE(m.matcher.Finish(m.diags));
  std::vector<std::string> told;
  for (const diag::Diagnostic& d : m.diags.all()) {
    told.push_back(d.message);
  }
  EXPECT_EQ(told, (std::vector<std::string>{"'x' is about the same argument as '0'", "no argument is called 'xx'",
                                            "there is no argument 9: the program has 1 argument",
                                            "no argument matches 'q*'"}));
  EXPECT_EQ(m.diags.all()[1].help[0], "did you mean 'x'?");
}

}  // namespace
}  // namespace spmdc::specs
