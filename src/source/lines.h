// Lines of a text, counted ahead: how much a reader will have to hold.
#pragma once

#include <cstddef>

#include "llvm/ADT/StringRef.h"

namespace spmdc::source {

// How many lines behind the one that `at` is on are indented deeper than that one: what a printed function or computation
// consists of. Blank lines end the count; 0 where `at` is far from the start of its line.
size_t CountIndentedLines(llvm::StringRef text, size_t at);

}  // namespace spmdc::source
