// Every program of testdata/ in the flat form, at every stage: what is printed reads back and prints the same.
#include "cli/run.h"
#include "gtest/gtest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "support/starts_with.h"

namespace spmdc {
namespace {

struct Case {
  std::string path, stage;
};

std::vector<Case> AllCases() {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it("testdata", error), end; it != end && !error;
       it.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    llvm::StringRef extension = llvm::sys::path::extension(it->path());
    bool program = extension == ".spmd" || extension == ".mlir" || extension == ".hlo";
    if (program && !StartsWith(name, "fail_")) {
      paths.push_back(it->path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    for (const char* stage : {"parse", "propagate", "plan", "partition"}) {
      cases.push_back({path, stage});
    }
  }
  return cases;
}

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

Outcome Compile(std::vector<std::string> args, std::string input) {
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  cli::Io io{.out = out, .err = err, .stdin_text = std::move(input)};
  outcome.exit_code = cli::Run(args, io);
  out.flush();
  err.flush();
  return outcome;
}

class FlatRoundTrip : public testing::TestWithParam<Case> {};

TEST_P(FlatRoundTrip, PrintsTheSame) {
  const Case& one = GetParam();
  Outcome first = Compile({"compile", "--emit=spmd", "--stop-after=" + one.stage, one.path}, "");
  if (first.exit_code != 0) {
    GTEST_SKIP() << "the program does not come to this stage";
  }
  Outcome again = Compile({"compile", "--from=spmd", "--emit=spmd", "--stop-after=parse", "-"}, first.out);
  EXPECT_EQ(again.exit_code, 0) << again.err << first.out;
  EXPECT_EQ(again.out, first.out);
  if (one.stage == "propagate") {
    // Nothing is left to decide, and nothing that the text says is passed over.
    Outcome decided = Compile({"compile", "--from=spmd", "--emit=spmd", "--stop-after=propagate", "-"}, first.out);
    EXPECT_EQ(decided.err, "");
    EXPECT_EQ(decided.out, first.out);
  }
}

INSTANTIATE_TEST_SUITE_P(Testdata, FlatRoundTrip, testing::ValuesIn(AllCases()),
                         [](const testing::TestParamInfo<Case>& one) {
                           std::string name = one.param.path + "_" + one.param.stage;
                           for (char& c : name) {
                             c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace spmdc
