// Names as HLO's grammar has them: unique in their computation, no keyword, no leading digit.
#pragma once

#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

namespace spmdc::text::hlo {

// The nearest spelling that HLO takes for a name: `0#1` is `v0.1`, `true` is `true_`.
std::string Spelling(llvm::StringRef name);

// Names given out so far.
class NameSet {
 public:
  // `sigil` stands before each name, of which there are about so many.
  explicit NameSet(llvm::StringRef sigil = "", size_t expected = 0)
      : sigil_(sigil), used_(static_cast<unsigned>(expected)) {}
  // `wanted` as HLO spells it, or with `.1`, `.2`, ... behind: the first that was not given out. Lives as long as the set.
  llvm::StringRef Take(llvm::StringRef wanted);

 private:
  llvm::StringRef sigil_;
  llvm::StringMap<int, llvm::BumpPtrAllocator> used_;  // name -> the next suffix to try
};

}  // namespace spmdc::text::hlo
