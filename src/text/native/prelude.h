// The part of jnp, lax and jax.nn that is written in the language itself.
#pragma once

#include <string>
#include <vector>

namespace spmdc::text::native {

std::string PreludeText();

// What an `@export('jnp lax', 'name')` of the prelude says: modules as they stand there, and the name known in them.
struct PreludeExport {
  std::string modules, name;
};
std::vector<PreludeExport> PreludeExports();

}  // namespace spmdc::text::native
