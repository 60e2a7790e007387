// What the golden files show: every diagnostic kind, command, option and op occurs in one of them, or is exempt by name.
#pragma once

#include <string>
#include <vector>

#include "file_test/golden.h"
#include "llvm/ADT/ArrayRef.h"

namespace spmdc::file_test {

// Things that may occur in golden files, as "kind:unknown-axis", "command:run", "option:--mesh", "option:--plan=xla",
// "op:dot_general".
std::vector<std::string> Catalogue();

// Of the catalogue, what occurs in no file.
std::vector<std::string> Uncovered(llvm::ArrayRef<std::string> catalogue, llvm::ArrayRef<GoldenFile> files);

// What is wrong with the list of exemptions ("NAME reason" a line, # starts a comment): a line for each uncovered name
// that it lacks, each covered or unknown name that it has, and each name without a reason. Empty if all is well.
std::string CheckExemptions(llvm::StringRef list, llvm::ArrayRef<std::string> catalogue,
                            llvm::ArrayRef<std::string> uncovered);

}  // namespace spmdc::file_test
