// Numbers of things, as messages and reports say them.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace spmdc {

// "1 device", "8 devices": for nouns whose plural ends in s.
inline std::string Counted(int64_t n, llvm::StringRef noun) {
  return std::to_string(n) + " " + noun.str() + (n == 1 ? "" : "s");
}

}  // namespace spmdc
