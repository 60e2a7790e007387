// Whether a text starts or ends with another. StringRef's own words for it are startswith up to LLVM 18, starts_with from 16.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmdc {

inline bool StartsWith(llvm::StringRef text, llvm::StringRef head) { return text.take_front(head.size()) == head; }
inline bool EndsWith(llvm::StringRef text, llvm::StringRef tail) { return text.take_back(tail.size()) == tail; }

}  // namespace spmdc
