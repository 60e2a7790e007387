// Unified diffs of texts, short enough to read under a failed test's name.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace spmdc {

// Lines only in expected get a "-", lines only in actual a "+", with up to `context` common lines around; empty if the
// texts are equal. After max_lines lines it is cut, and says so.
std::string UnifiedDiff(llvm::StringRef expected, llvm::StringRef actual, size_t context = 2, size_t max_lines = 60);

}  // namespace spmdc
