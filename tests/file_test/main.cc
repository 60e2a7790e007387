// The golden test program: spmdc_file_test [--update] [gtest flags] [FILE or FOLDER...]; run it in the repository's root.
//
// Each golden file below testdata/ (or the ones named) is a test case of its own. --update writes fresh transcripts into
// the files instead. --coverage checks what the files show against the list of exemptions.
#include <algorithm>
#include <filesystem>

#include "cli/run.h"
#include "file_test/coverage.h"
#include "file_test/golden.h"
#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

namespace spmdc::file_test {
namespace {

constexpr char kExemptions[] = "tests/file_test/exempt.txt";

int RunTool(llvm::ArrayRef<std::string> args, cli::Io& io) { return cli::Run(args, io); }

std::string ReadFile(const std::string& path) {
  llvm::ErrorOr<std::string> text = cli::Files().Read(path);
  return text ? *text : "";
}

// Programs, and texts that are none; folders called conformance and data hold inputs of other tests.
bool IsGolden(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  return extension == ".spmd" || extension == ".mlir" || extension == ".hlo" || extension == ".txt";
}

std::vector<std::string> FindFiles(const std::vector<std::string>& roots) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  for (const std::string& root : roots) {
    if (!fs::is_directory(root)) {
      found.push_back(root);
      continue;
    }
    for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
      std::string name = it->path().filename().string();
      if (it->is_directory() && (name == "conformance" || name == "data")) {
        it.disable_recursion_pending();
      } else if (it->is_regular_file() && IsGolden(it->path())) {
        found.push_back(it->path().generic_string());
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

class FileCase : public ::testing::Test {
 public:
  FileCase(std::string path, std::string binary, bool update)
      : path_(std::move(path)), binary_(std::move(binary)), update_(update) {}

  void TestBody() override {
    std::string text = ReadFile(path_);
    ParseResult parsed = Parse(path_, text);
    if (parsed.error) {
      FAIL() << path_ << ": " << *parsed.error;
    }
    Outcome outcome = file_test::Run(parsed.file, RunTool, binary_);
    if (!update_) {
      EXPECT_TRUE(outcome.failure.empty()) << "\n" << outcome.failure;
      return;
    }
    if (outcome.updated != text) {
      std::error_code error = cli::Files().Write(path_, outcome.updated);
      EXPECT_FALSE(error) << path_ << ": " << error.message();
      llvm::outs() << "updated " << path_ << "\n";
    }
    // What an update cannot mend: names, RUN lines.
    Outcome again = file_test::Run(Parse(path_, outcome.updated).file, RunTool, binary_);
    EXPECT_TRUE(again.failure.empty()) << "\n" << again.failure;
  }

 private:
  std::string path_;
  std::string binary_;
  bool update_;
};

class CoverageCase : public ::testing::Test {
 public:
  void TestBody() override {
    std::vector<GoldenFile> files;
    for (const std::string& path : FindFiles({"testdata"})) {
      files.push_back(Parse(path, ReadFile(path)).file);
    }
    std::vector<std::string> catalogue = Catalogue();
    std::string wrong = CheckExemptions(ReadFile(kExemptions), catalogue, Uncovered(catalogue, files));
    EXPECT_TRUE(wrong.empty()) << "see " << kExemptions << "\n" << wrong;
  }
};

// A test case's name in gtest's alphabet, where - and : have meanings of their own.
std::string CaseName(std::string path) {
  if (path.rfind("testdata/", 0) == 0) {
    path = path.substr(9);
  }
  for (char& c : path) {
    c = c == '-' || c == ':' || c == '*' || c == '?' ? '_' : c;
  }
  return path;
}

int Main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  bool update = false;
  bool coverage = false;
  std::vector<std::string> roots;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg == "--update") {
      update = true;
    } else if (arg == "--coverage") {
      coverage = true;
    } else {
      roots.push_back(arg);
    }
  }
  if (!std::filesystem::is_directory("testdata")) {
    llvm::errs() << "spmdc_file_test: there is no testdata/ here; run it in the repository's root\n";
    return 2;
  }
  if (coverage) {
    ::testing::RegisterTest("Coverage", "Catalogue", nullptr, nullptr, __FILE__, __LINE__,
                            []() -> ::testing::Test* { return new CoverageCase(); });
  } else {
    std::string binary = argv[0];
    for (const std::string& path : FindFiles(roots.empty() ? std::vector<std::string>{"testdata"} : roots)) {
      ::testing::RegisterTest("File", CaseName(path).c_str(), nullptr, nullptr, path.c_str(), 1,
                              [=]() -> ::testing::Test* { return new FileCase(path, binary, update); });
    }
  }
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace spmdc::file_test

int main(int argc, char** argv) { return spmdc::file_test::Main(argc, argv); }
