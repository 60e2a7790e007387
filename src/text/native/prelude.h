// The part of jnp, lax and jax.nn that is written in the language itself.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::text::native {

// The definitions of the prelude that a program needs: those that it names, those that operators are made of, and those that
// such definitions name. What the evaluator asks for besides is lacking, and is there in a `whole` selection.
class Prelude {
 public:
  Prelude(llvm::StringRef program, bool whole);

  // In the order of the whole prelude.
  std::string Text() const;
  // Whether there is a definition of that name that was not selected.
  bool Lacks(llvm::StringRef name) const;

 private:
  void Index(llvm::StringRef text);
  void Add(llvm::StringRef statement);
  void Select(llvm::StringRef text);

  std::vector<llvm::StringRef> parts_;
  std::vector<bool> selected_;
  llvm::StringMap<llvm::SmallVector<size_t, 1>> by_name_;
};

// What an `@export('jnp lax', 'name')` of the prelude says: modules as they stand there, and the name known in them.
struct PreludeExport {
  std::string modules, name;
};
// Of the whole prelude.
std::vector<PreludeExport> PreludeExports();

}  // namespace spmdc::text::native
