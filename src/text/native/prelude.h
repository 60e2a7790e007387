// The part of jnp, lax and jax.nn that is written in the language itself.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace spmdc::text::native {

// The text of the functions that a program needs: of those that operators and methods are made of, and of the others that
// the program names, or that such functions name.
std::string PreludeText(llvm::StringRef program);

// What an `@export('jnp lax', 'name')` of the prelude says: modules as they stand there, and the name known in them.
struct PreludeExport {
  std::string modules, name;
};
// Of the whole prelude.
std::vector<PreludeExport> PreludeExports();

}  // namespace spmdc::text::native
