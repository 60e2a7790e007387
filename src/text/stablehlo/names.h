// Names as MLIR's grammar has them: of values in one function with its regions, of functions, of meshes.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace spmdc::text::stablehlo {

// The nearest spelling that MLIR takes for `%name`: digits alone, or no digit first.
std::string ValueSpelling(llvm::StringRef name);
// `@name`, in quotes where it is no identifier.
std::string SymbolText(llvm::StringRef name);

// Names given out so far, by scope: a region's names are free again behind it.
class NameSet {
 public:
  // `wanted`, or with `_1`, `_2`, ... behind: the first that was not given out.
  std::string Take(llvm::StringRef wanted);
  // The names taken since a mark are free again.
  size_t Mark() const { return taken_.size(); }
  void Release(size_t mark);

 private:
  llvm::StringSet<> used_;
  std::vector<std::string> taken_;  // in order
};

}  // namespace spmdc::text::stablehlo
