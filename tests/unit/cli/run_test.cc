// Tests of whole runs of the tool on files in memory.
#include "cli/run.h"

#include <gtest/gtest.h>

namespace spmdc::cli {
namespace {

struct Ran {
  int exit_code;
  std::string out, err;
};

struct RunTest : testing::Test {
  RunTest() {
    files.KeepWritesInMemory();
    files.Put("p.spmd",
              "mesh = make_mesh((4,), ('x',), axis_types=(Auto,))\n"
              "def main(a: f32[8] @ P('x')):\n"
              "    return a + a\n");
  }
  Ran RunTool(std::vector<std::string> args) {
    Ran ran;
    llvm::raw_string_ostream out(ran.out), err(ran.err);
    Io io{.out = out, .err = err, .files = files};
    ran.exit_code = cli::Run(args, io);
    files = io.files;
    return ran;
  }
  Files files;
};

TEST_F(RunTest, SavedResultsAreInputsOfTheNextRun) {
  Ran first = RunTool({"run", "p.spmd", "--save=out"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  ASSERT_TRUE(files.in_memory().count("out/out0.npy"));
  std::string saved = files.in_memory().at("out/out0.npy");

  Ran second = RunTool({"run", "--check", "p.spmd", "--input=a=out/out0.npy", "--save=again"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_NE(files.in_memory().at("again/out0.npy"), saved);
  EXPECT_EQ(files.in_memory().at("again/out0.npy").size(), saved.size());
}

TEST_F(RunTest, AnInputThatIsNotThereIsNamed) {
  Ran ran = RunTool({"run", "p.spmd", "--input=a=nowhere.npy"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("cannot read 'nowhere.npy'"), std::string::npos) << ran.err;
}

TEST_F(RunTest, EveryIterationIsTold) {
  Ran ran = RunTool({"run", "--check", "p.spmd", "--iterations=3", "-o", "told.txt"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  llvm::StringRef told = files.in_memory().at("told.txt");
  EXPECT_EQ(told.count("same numbers on 4 devices"), 3u) << told.str();
}

}  // namespace
}  // namespace spmdc::cli
