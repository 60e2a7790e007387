// Looking up what readers kept as text beside a module, an instruction or a boundary value.
#pragma once

#include "ir/module.h"

namespace spmdc::ir {

// The text under a name; empty where there is none.
inline llvm::StringRef SideText(const Module& module, SideId side, llvm::StringRef name) {
  if (side.valid()) {
    for (const auto& [key, text] : module.tables->sides[side].entries) {
      if (key == name) {
        return text;
      }
    }
  }
  return "";
}

}  // namespace spmdc::ir
