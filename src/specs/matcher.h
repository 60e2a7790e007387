// Which entry is about which argument, result or value.
//
// An entry's pattern is an index, a name, the name of a tree above it (`params` of `params['w']`), or a glob with `*` and `?`
// (brackets stand for themselves). An option stands above the file; then a name above a tree above a glob; of several trees
// the innermost, of several globs the last.
#pragma once

#include <string>
#include <vector>

#include "diag/engine.h"
#include "llvm/ADT/StringMap.h"
#include "specs/specs.h"

namespace spmdc::specs {

// Whether a text is what a glob with `*` (any characters) and `?` (one) says.
bool MatchesGlob(llvm::StringRef glob, llvm::StringRef text);

class Matcher {
 public:
  // `noun` is what the entries are about, for messages: "argument". Without trees, a dot or bracket in a name means nothing.
  Matcher(llvm::ArrayRef<Entry> entries, std::string noun, bool trees = true);

  // The entry about a leaf, by its index (kNoIndex: it has none) and the names it is known by; null if there is none. A leaf
  // with an index may be asked for again.
  static constexpr size_t kNoIndex = SIZE_MAX;
  const Entry* Find(size_t index, llvm::ArrayRef<llvm::StringRef> names);
  // Behind the last leaf: refuses entries about nothing, and names given twice. False after a diagnostic.
  bool Finish(diag::Engine& diags);

 private:
  struct Best;
  void Consider(size_t entry, int closeness, Best& best);
  void ConsiderNamed(llvm::StringRef name, int closeness, Best& best);
  void ConsiderTrees(llvm::StringRef name, Best& best);
  void TellUnmatched(const Entry& entry, bool with_nearest, diag::Engine& diags) const;

  llvm::ArrayRef<Entry> entries_;
  std::string noun_;
  bool trees_;
  llvm::StringMap<llvm::SmallVector<size_t, 1>> named_;
  std::vector<size_t> globs_;
  std::vector<char> used_;
  std::vector<std::pair<size_t, size_t>> twice_;  // the second entry about a leaf, and the first
  std::vector<std::string> names_;                // of the leaves, as seen
  size_t num_leaves_ = 0;
  bool has_indices_ = false;
};

}  // namespace spmdc::specs
