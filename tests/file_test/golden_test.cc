// The golden runner itself: what it reads, runs, tells and rewrites. The tool here is a small fake.
#include "file_test/golden.h"

#include "file_test/coverage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/diff.h"

namespace spmdc::file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// cat FILE prints a file, put FILE TEXT writes one, fail N MESSAGE ends with exit code N, args prints its arguments.
int Fake(llvm::ArrayRef<std::string> args, cli::Io& io) {
  if (args[0] == "cat") {
    auto text = io.ReadInput(args[1]);
    if (!text) {
      io.err << args[1] << ": " << text.getError().message() << "\n";
      return 3;
    }
    io.out << *text;
  } else if (args[0] == "put") {
    io.WriteOutput(args[1], args[2]);
  } else if (args[0] == "fail") {
    io.err << args[2] << "\n";
    return std::stoi(args[1]);
  } else {
    for (const std::string& arg : args) {
      io.out << "[" << arg << "]";
    }
    io.out << "\n";
  }
  return 0;
}

GoldenFile Parsed(std::string path, llvm::StringRef text) {
  ParseResult result = Parse(std::move(path), text);
  EXPECT_FALSE(result.error) << *result.error;
  return result.file;
}

std::string Failure(std::string path, llvm::StringRef text) {
  return Run(Parsed(std::move(path), text), Fake, "build/release/spmdc_file_test").failure;
}

std::string Updated(std::string path, llvm::StringRef text) {
  return Run(Parsed(std::move(path), text), Fake, "x").updated;
}

TEST(Golden, ReadsProgramCommandsAndTranscripts) {
  GoldenFile file =
      Parsed("a.spmd", "# About.\nx = 1\n# RUN: cat %s\n#| x = 1\n# why\n# RUN: fail 4 no\n#! no\n# EXIT: 4\n");
  EXPECT_EQ(file.program, "# About.\nx = 1\n");
  ASSERT_EQ(file.commands.size(), 2u);
  EXPECT_EQ(file.commands[0].line, "cat %s");
  EXPECT_EQ(file.commands[0].transcript, "#| x = 1\n");
  EXPECT_THAT(file.commands[1].comments, ElementsAre("# why"));
  EXPECT_EQ(file.commands[1].transcript, "#! no\n# EXIT: 4\n");
}

TEST(Golden, TheMarkerGoesByTheExtension) {
  EXPECT_EQ(Parsed("a.mlir", "module {}\n// RUN: cat %s\n").marker, "//");
  EXPECT_EQ(Parsed("a.hlo", "HloModule m\n// RUN: cat %s\n").marker, "//");
  EXPECT_EQ(*Parse("a.mlir", "module {}\n# RUN: cat %s\n").error, "no line starts with '// RUN:'");
}

TEST(Golden, RefusesWhatItCannotRewrite) {
  EXPECT_EQ(*Parse("a.spmd", "x = 1\n").error, "no line starts with '# RUN:'");
  EXPECT_EQ(*Parse("a.spmd", "# RUN: cat %s\nx = 1\n").error, "line 2: program text below a RUN line");
  EXPECT_EQ(*Parse("a.spmd", "# RUN: cat %s\n# note\n#| x\n").error,
            "line 3: output stands below a comment, not below its RUN line");
}

TEST(Golden, PassesWhenAllIsAsWritten) {
  EXPECT_EQ(Failure("a.spmd", "x = 1\n\n# RUN: cat %s\n#| x = 1\n#|\n"), "");
  EXPECT_EQ(Failure("a.mlir", "m\n// RUN: cat %s\n//| m\n"), "");
  EXPECT_EQ(Failure("d/fail_a.spmd", "x\n# RUN: fail 4 no\n#! no\n# EXIT: 4\n"), "");
}

TEST(Golden, AFailureShowsDiffAndCommands) {
  EXPECT_EQ(Failure("testdata/a.spmd", "x = 1\ny = 2\n# RUN: cat '%s'\n#| x = 1\n#| y = 3\n"),
            "testdata/a.spmd, RUN 1: cat '%s'\n"
            "@@ -1,2 +1,2 @@\n"
            " #| x = 1\n"
            "-#| y = 3\n"
            "+#| y = 2\n"
            "try:    build/release/spmdc cat 'testdata/a.spmd'\n"
            "accept: build/release/spmdc_file_test --update testdata/a.spmd\n");
}

TEST(Golden, StreamsAndExitCodesAreCompared) {
  EXPECT_THAT(Failure("fail_a.spmd", "x\n# RUN: fail 4 no\n#| no\n# EXIT: 4\n"), HasSubstr("-#| no\n+#! no\n"));
  EXPECT_THAT(Failure("fail_a.spmd", "x\n# RUN: fail 4 no\n#! no\n# EXIT: 5\n"), HasSubstr("-# EXIT: 5\n+# EXIT: 4\n"));
  EXPECT_THAT(Failure("fail_a.spmd", "x\n# RUN: fail 4 no\n#! no\n"), HasSubstr("+# EXIT: 4\n"));
}

TEST(Golden, FailInTheNameIffACommandFails) {
  EXPECT_EQ(Failure("a.spmd", "x\n# RUN: fail 4 no\n#! no\n# EXIT: 4\n"),
            "a.spmd: a command fails, so the file's name must start with fail_\n");
  EXPECT_EQ(Failure("fail_a.spmd", "x\n# RUN: cat %s\n#| x\n"),
            "fail_a.spmd: is named fail_ but every command exits with 0\n");
  EXPECT_EQ(Failure("fail_a.spmd", "x\n# RUN: cat %s\n#| x\n# RUN: fail 1 no\n#! no\n# EXIT: 1\n"), "");
}

TEST(Golden, UpdateRewritesTranscriptsAndKeepsTheRest) {
  EXPECT_EQ(
      Updated("a.spmd", "# About.\nx\n\n# RUN: cat %s\n#| old\n#! old\n# EXIT: 9\n\n# why\n# RUN: fail 4 no\n# end\n"),
      "# About.\nx\n\n# RUN: cat %s\n#| # About.\n#| x\n#|\n\n# why\n# RUN: fail 4 no\n#! no\n# EXIT: 4\n# end\n");
}

TEST(Golden, AnUpdatedFilePassesAndStays) {
  for (const char* text : {"x\n# RUN: cat %s\n", "# RUN: args a\n", "x\n# RUN: put - 'a b'\n"}) {
    std::string updated = Updated("a.spmd", text);
    EXPECT_EQ(Failure("a.spmd", updated), "") << updated;
    EXPECT_EQ(Updated("a.spmd", updated), updated);
  }
}

TEST(Golden, AMissingNewlineIsSeen) {
  EXPECT_EQ(Updated("a.spmd", "# RUN: put - 'a b'\n"), "# RUN: put - 'a b'\n#| a b\n#|(no newline at the end)\n");
}

TEST(Golden, VirtualFilesAndStandardInput) {
  std::string text = "main\n# --- b.json\n{\"a\": 1}\n# RUN: cat %s\n# RUN: cat b.json\n# RUN: cat - < b.json\n";
  EXPECT_THAT(Parts(Parsed("a.spmd", text)), ElementsAre(Pair("a.spmd", "main\n"), Pair("b.json", "{\"a\": 1}\n")));
  EXPECT_EQ(Updated("a.spmd", text),
            "main\n# --- b.json\n{\"a\": 1}\n# RUN: cat %s\n#| main\n# RUN: cat b.json\n#| {\"a\": 1}\n"
            "# RUN: cat - < b.json\n#| {\"a\": 1}\n");
  EXPECT_THAT(Failure("a.spmd", "# RUN: cat - < no.json\n"), HasSubstr("the RUN line reads no.json: No such file"));
}

TEST(Golden, WritesStayInMemoryAndLaterCommandsSeeThem) {
  EXPECT_EQ(Updated("a.spmd", "# RUN: put out.txt hello\n# RUN: cat - < out.txt\n"),
            "# RUN: put out.txt hello\n# RUN: cat - < out.txt\n#| hello\n#|(no newline at the end)\n");
  EXPECT_FALSE(cli::Files().Read("out.txt"));
}

TEST(SplitCommand, AsAShellDoes) {
  EXPECT_THAT(*SplitCommand("a  --in 'x=P(data, _)' \"b c\" d\\ e ''"),
              ElementsAre("a", "--in", "x=P(data, _)", "b c", "d e", ""));
  EXPECT_THAT(*SplitCommand("a='b'c"), ElementsAre("a=bc"));
  EXPECT_EQ(SplitCommand("a 'b"), std::nullopt);
  EXPECT_THAT(Failure("a.spmd", "# RUN: cat 'x\n"), HasSubstr("open quote"));
}

TEST(Diff, EqualTextsHaveNone) {
  EXPECT_EQ(UnifiedDiff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(UnifiedDiff("", ""), "");
}

TEST(Diff, HunksWithContext) {
  EXPECT_EQ(UnifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+x\n 6\n 7\n");
  EXPECT_EQ(UnifiedDiff("a\n", ""), "@@ -1,1 +1,0 @@\n-a\n");
  EXPECT_EQ(UnifiedDiff("", "a\nb\n"), "@@ -1,0 +1,2 @@\n+a\n+b\n");
}

TEST(Diff, FarChangesAreTwoHunksAndNearOnesOne) {
  EXPECT_EQ(UnifiedDiff("a\n1\n2\n3\n4\n5\nb\n", "A\n1\n2\n3\n4\n5\nB\n"),
            "@@ -1,3 +1,3 @@\n-a\n+A\n 1\n 2\n@@ -5,3 +5,3 @@\n 4\n 5\n-b\n+B\n");
  EXPECT_EQ(UnifiedDiff("a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n"), "@@ -1,5 +1,5 @@\n-a\n+A\n 1\n 2\n 3\n-b\n+B\n");
  EXPECT_EQ(UnifiedDiff("x\na\nb\nc\n", "a\nb\nc\ny\n"), "@@ -1,4 +1,4 @@\n-x\n a\n b\n c\n+y\n");
}

TEST(Diff, LongOnesAreCut) {
  std::string many;
  for (int i = 0; i < 3000; ++i) {
    many += "line " + std::to_string(i) + "\n";
  }
  std::string diff = UnifiedDiff("", many, 2, 5);
  EXPECT_EQ(llvm::StringRef(diff).count('\n'), 6u);
  EXPECT_THAT(diff, HasSubstr("... 2996 more lines\n"));
  std::string other = many;
  for (char& c : other) {
    c = c == 'l' ? 'L' : c;
  }
  EXPECT_THAT(UnifiedDiff(many, other), HasSubstr("more lines"));
}

TEST(Coverage, FindsKindsCommandsOptionsAndOps) {
  GoldenFile file = Parsed("a.mlir",
                           "%1 = stablehlo.add %0\n// RUN: compile %s --plan=xla -o x --emit spmd\n"
                           "//! a.mlir:1:1: error: no [unknown-axis]\n//| tanh\n");
  auto uncovered = [&](std::vector<std::string> names) { return Uncovered(names, {file}); };
  EXPECT_THAT(uncovered({"kind:unknown-axis", "kind:syntax"}), ElementsAre("kind:syntax"));
  EXPECT_THAT(uncovered({"command:compile", "command:run"}), ElementsAre("command:run"));
  EXPECT_THAT(uncovered({"option:--plan", "option:--plan=xla", "option:--plan=best", "option:--output",
                         "option:--emit=spmd", "option:--mesh"}),
              ElementsAre("option:--plan=best", "option:--mesh"));
  EXPECT_THAT(uncovered({"op:add", "op:tanh", "op:ad"}), ElementsAre("op:ad"));
}

TEST(Coverage, ExemptionsAreHeldToTheFiles) {
  std::vector<std::string> catalogue = {"kind:a", "kind:b", "kind:c"};
  EXPECT_EQ(CheckExemptions("# About.\nkind:b only a run shows it\n", catalogue, {"kind:b"}), "");
  EXPECT_EQ(CheckExemptions("kind:a\nkind:d gone\nkind:c seen\n", catalogue, {"kind:a", "kind:b"}),
            "kind:a: exempt without a reason\nkind:d: exempt, but there is no such thing\n"
            "kind:c: exempt, but a golden file shows it; take it off the list\nkind:b: in no golden file\n");
}

TEST(Coverage, TheCatalogueKnowsWhatThereIs) {
  std::vector<std::string> catalogue = Catalogue();
  for (const char* name : {"kind:unknown-axis", "command:compile", "option:--entry", "option:--emit=spmd", "op:tanh"}) {
    EXPECT_THAT(catalogue, ::testing::Contains(name));
  }
}

}  // namespace
}  // namespace spmdc::file_test
