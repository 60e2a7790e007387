// Golden reports: the communication report of a program, kept in a file and compared.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace spmdc::check {

// What a golden file begins with, so that one can be told from another text.
inline constexpr llvm::StringLiteral kGoldenHead = "# spmdc report 1\n";

// The file for a report.
std::string GoldenFile(llvm::StringRef report);
// Empty if the file holds this report; else what differs, as a unified diff.
std::string CompareGolden(llvm::StringRef file, llvm::StringRef report);

}  // namespace spmdc::check
