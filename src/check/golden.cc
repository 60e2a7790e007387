// Comparing a report with its golden file.
#include "check/golden.h"

#include "support/diff.h"

namespace spmdc::check {

std::string GoldenFile(llvm::StringRef report) { return llvm::StringRef(kGoldenHead).str() + report.str(); }

std::string CompareGolden(llvm::StringRef file, llvm::StringRef report) {
  return UnifiedDiff(file, GoldenFile(report));
}

}  // namespace spmdc::check
