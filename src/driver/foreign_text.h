// Texts that lie beside programs, and are none that are read here.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"

namespace spmdc::driver {

struct Foreign {
  llvm::StringRef what;  // "XLA's buffer assignment"
  llvm::StringRef help;  // where the program is
};

// A file of XLA's dump folders that holds no program, a jaxpr; nothing for anything else.
std::optional<Foreign> ForeignText(llvm::StringRef text);

}  // namespace spmdc::driver
