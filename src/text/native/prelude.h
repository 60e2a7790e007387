// The part of jnp, lax and jax.nn that is written in the language itself.
#pragma once

#include <string>

namespace spmdc::text::native {

std::string PreludeText();

}  // namespace spmdc::text::native
