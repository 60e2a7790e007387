// Fixes: help lines that say what to write and what that costs, in one form so that tools can read it too.
//
//   out_sharding=P('x', None): all-reduce of f32[8,4] over 'y', 128 bytes per device
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace spmdc::diag {

struct Fix {
  std::string edit;        // `name=value`: what to write
  std::string effect;      // what the program does then
  int64_t wire_bytes = 0;  // that one device sends for it
};

std::string ToHelp(const Fix& fix);
// The fix of a help line that is one.
std::optional<Fix> FromHelp(llvm::StringRef help);

}  // namespace spmdc::diag
