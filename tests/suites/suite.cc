// The loop over a suite's cases.
#include "suites/suite.h"

#include <set>

#include "cli/run.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "support/starts_with.h"

namespace spmdc::suites {

namespace {

std::set<std::string> ReadKnown(llvm::StringRef text) {
  std::set<std::string> known;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    llvm::StringRef name = line.trim().split(' ').first;
    if (!name.empty() && !StartsWith(name, "#")) {
      known.insert(name.str());
    }
  }
  return known;
}

std::unique_ptr<llvm::MemoryBuffer> Load(const char* path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    llvm::errs() << "cannot read " << path << ": " << buffer.getError().message() << "\n";
    return nullptr;
  }
  return std::move(*buffer);
}

}  // namespace

int RunSuite(int argc, char** argv, const std::function<Verdict(llvm::StringRef)>& judge) {
  if (argc < 3) {
    llvm::errs() << "usage: " << argv[0] << " CASES KNOWN [--failing]\n";
    return 2;
  }
  auto cases = Load(argv[1]), list = Load(argv[2]);
  if (cases == nullptr || list == nullptr) {
    return 2;
  }
  bool print_failing = argc > 3 && llvm::StringRef(argv[3]) == "--failing";
  std::set<std::string> known = ReadKnown(list->getBuffer());
  int64_t count = 0, good = 0, checks = 0, right = 0, failures = 0;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  cases->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    Verdict verdict = judge(line);
    if (verdict.name.empty()) {
      continue;
    }
    ++count;
    good += verdict.good ? 1 : 0;
    checks += verdict.checks;
    right += verdict.right;
    if (print_failing) {
      llvm::outs() << (verdict.good ? "" : verdict.name + "\n");
    } else if (verdict.good && known.count(verdict.name) != 0) {
      llvm::outs() << verdict.name << " passes: take it off the list of known failures\n";
    } else if (!verdict.good && known.count(verdict.name) == 0) {
      ++failures;
      llvm::outs() << verdict.name << " fails: " << verdict.why << "\n";
    }
  }
  if (!print_failing) {
    llvm::outs() << "checks " << right << "/" << checks << ", cases " << good << "/" << count << "\n";
  }
  return failures == 0 ? 0 : 1;
}

int RunTool(llvm::ArrayRef<std::string> args, std::string stdin_text, std::string& out, std::string& err) {
  llvm::raw_string_ostream out_stream(out), err_stream(err);
  cli::Io io{.out = out_stream, .err = err_stream, .files = {}, .stdin_text = std::move(stdin_text)};
  int code = cli::Run(args, io);
  out_stream.flush();
  err_stream.flush();
  return code;
}

}  // namespace spmdc::suites
