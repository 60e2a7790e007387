// Runs a suite of cases, one a line, against a list of known failures that may only shrink.
#pragma once

#include <functional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::suites {

struct Verdict {
  std::string name;  // of the case; empty: the line is no case
  bool good = false;
  int64_t checks = 0, right = 0;  // what was compared, and how much of it agreed
  std::string why;                // the first that did not agree
};

// `PROGRAM CASES KNOWN [--failing]`: 0 if only known cases fail. Tells new failures and cases that are listed and pass, then
// the sums. --failing prints the names of all cases that fail, as KNOWN lists them.
int RunSuite(int argc, char** argv, const std::function<Verdict(llvm::StringRef line)>& judge);

// What `spmdc ARGS` writes for a text on standard input; the exit code.
int RunTool(llvm::ArrayRef<std::string> args, std::string stdin_text, std::string& out, std::string& err);

}  // namespace spmdc::suites
