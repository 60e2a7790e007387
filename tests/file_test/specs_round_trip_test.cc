// Every program of testdata/: the specs file that `spmdc specs` writes for it changes nothing.
#include "cli/run.h"
#include "gtest/gtest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "support/starts_with.h"

namespace spmdc {
namespace {

std::vector<std::string> Programs() {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it("testdata", error), end; it != end && !error;
       it.increment(error)) {
    llvm::StringRef extension = llvm::sys::path::extension(it->path());
    bool program = extension == ".spmd" || extension == ".mlir" || extension == ".hlo";
    if (program && !StartsWith(llvm::sys::path::filename(it->path()), "fail_")) {
      paths.push_back(it->path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

Outcome RunTool(std::vector<std::string> args, const std::string& specs) {
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  cli::Io io{.out = out, .err = err};
  io.files.Put("specs.json", specs);
  outcome.exit_code = cli::Run(args, io);
  out.flush();
  err.flush();
  return outcome;
}

class SpecsRoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(SpecsRoundTrip, ChangesNothing) {
  const std::string& path = GetParam();
  Outcome specs = RunTool({"specs", path}, "");
  if (specs.exit_code != 0) {
    GTEST_SKIP() << "not read, or one device's program";
  }
  for (const char* stage : {"types", "partition"}) {
    Outcome without = RunTool({"compile", path, "--stop-after", stage}, "");
    Outcome with = RunTool({"compile", path, "--stop-after", stage, "--specs=specs.json"}, specs.out);
    EXPECT_EQ(with.exit_code, without.exit_code) << with.err << specs.out;
    EXPECT_EQ(with.out, without.out) << specs.out;
  }
  Outcome again = RunTool({"specs", path, "--specs=specs.json"}, specs.out);
  EXPECT_EQ(again.out, specs.out) << again.err;
}

INSTANTIATE_TEST_SUITE_P(Testdata, SpecsRoundTrip, testing::ValuesIn(Programs()),
                         [](const testing::TestParamInfo<std::string>& one) {
                           std::string name = one.param;
                           for (char& c : name) {
                             c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace spmdc
