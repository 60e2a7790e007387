// Files that lie beside programs, and are none.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmdc::driver {

// What a file of XLA's dump folders is that holds no program, such as "XLA's buffer assignment"; empty for anything else.
llvm::StringRef ForeignText(llvm::StringRef text);

}  // namespace spmdc::driver
