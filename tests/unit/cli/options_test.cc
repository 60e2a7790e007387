// Command lines: what is read from them, and what is said about wrong ones.
#include "cli/options.h"

#include <fstream>
#include <set>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace spmdc::cli {
namespace {

using ::testing::ElementsAre;

Options Parsed(llvm::StringRef command, std::vector<std::string> args) {
  auto result = ParseOptions(*FindCommand(command), args);
  auto* error = std::get_if<UsageError>(&result);
  EXPECT_EQ(error, nullptr) << error->message;
  return error == nullptr ? std::get<Options>(result) : Options();
}

std::string Wrong(llvm::StringRef command, std::vector<std::string> args) {
  auto result = ParseOptions(*FindCommand(command), args);
  auto* error = std::get_if<UsageError>(&result);
  return error == nullptr ? "(accepted)" : error->message + " | " + error->help;
}

TEST(Options, Defaults) {
  Options options = Parsed("compile", {"a.spmd"});
  EXPECT_EQ(options.file, "a.spmd");
  EXPECT_EQ(options.propagation, "shardy");
  EXPECT_EQ(options.stop_after, "");
  EXPECT_FALSE(options.json);
}

TEST(Options, ValuesInBothSpellingsAroundTheFile) {
  Options options = Parsed("compile", {"--entry", "f", "-", "--emit=spmd", "-o", "out.hlo", "--time"});
  EXPECT_EQ(options.entry, "f");
  EXPECT_EQ(options.file, "-");
  EXPECT_EQ(options.emit, "spmd");
  EXPECT_EQ(options.output, "out.hlo");
  EXPECT_TRUE(options.time);
}

TEST(Options, RepeatedOptionsTakeOneValueEach) {
  Options options = Parsed("run", {"--input", "x=a.npy", "--input=y=b.npy", "f.mlir", "--seed", "7"});
  EXPECT_THAT(options.input, ElementsAre("x=a.npy", "y=b.npy"));
  EXPECT_EQ(options.file, "f.mlir");
  EXPECT_EQ(options.seed, 7);
}

TEST(Options, TheLastOfTwoCounts) { EXPECT_EQ(Parsed("compile", {"a", "--emit=hlo", "--emit=spmd"}).emit, "spmd"); }

TEST(Options, WrongLinesSayWhatToWrite) {
  EXPECT_EQ(Wrong("compile", {}), "compile needs a FILE | write `spmdc compile FILE`, or - for standard input");
  EXPECT_EQ(Wrong("compile", {"a", "b"}),
            "unexpected argument 'b'; compile takes one FILE | `spmdc compile --help` lists the options");
  EXPECT_EQ(Wrong("compile", {"a", "--entyr=x"}), "unknown option --entyr | did you mean --entry?");
  EXPECT_EQ(Wrong("compile", {"a", "--frobnicate"}),
            "unknown option --frobnicate | `spmdc compile --help` lists the options");
  EXPECT_EQ(Wrong("compile", {"a", "--seed=1"}),
            "option --seed is not for `spmdc compile` | `spmdc compile --help` lists the options");
  EXPECT_EQ(Wrong("compile", {"a", "--emit=fast"}),
            "'fast' is no value of --emit; it takes one of hlo, stablehlo, spmd, json | "
            "write --emit=hlo|stablehlo|spmd|json");
  EXPECT_EQ(Wrong("run", {"a", "--seed=many"}),
            "'many' is no value of --seed; it takes a whole number from 0 | write --seed=N");
  EXPECT_EQ(Wrong("run", {"a", "--seed=-1"}),
            "'-1' is no value of --seed; it takes a whole number from 0 | write --seed=N");
  EXPECT_EQ(Wrong("compile", {"a", "--entry"}), "option --entry needs an argument | write --entry=NAME");
  EXPECT_EQ(Wrong("compile", {"a", "-o"}), "option --output needs an argument | write --output=FILE");
  EXPECT_EQ(Wrong("compile", {"a", "--time=yes please"}), "option --time takes no argument | write --time");
}

TEST(Options, TheTableIsSound) {
  std::set<std::string> names;
  for (const OptionInfo& option : AllOptions()) {
    EXPECT_TRUE(names.insert(option.name.str()).second) << option.name.str();
    EXPECT_EQ(option.name.take_front(2), "--");
    EXPECT_NE(option.commands & kAll, 0u);
    EXPECT_NE(option.text.back(), '.') << option.name.str();
    EXPECT_EQ(option.argument.empty(), std::holds_alternative<bool Options::*>(option.target)) << option.name.str();
    for (const CommandInfo& command : Commands()) {
      std::string spelled = option.name.str() + (option.argument.empty() ? "" : "=");
      bool listed = Help(command).find("  " + spelled) != std::string::npos ||
                    Help(command).find(", " + spelled) != std::string::npos;
      EXPECT_EQ(listed, (option.commands & command.bit) != 0) << command.name.str() << " " << option.name.str();
    }
  }
}

TEST(Help, FitsATerminal) {
  std::string all = Help();
  for (const CommandInfo& command : Commands()) {
    EXPECT_NE(all.find("  " + command.name.str() + " "), std::string::npos);
    all += Help(command);
  }
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

TEST(ManPage, TheFileInTheRepositoryIsFresh) {
  std::ifstream file("man/spmdc.1");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == ManPage()) << "write it anew: build/release/spmdc --print-man > man/spmdc.1";
}

}  // namespace
}  // namespace spmdc::cli
