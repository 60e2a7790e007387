// Writer of the native language's flat form (LANGUAGE section 9): one function per body, one operation per line.
#pragma once

#include <string>

#include "ir/module.h"

namespace spmdc::text::native {

// The program as text that reads back to the same program. What JAX has no words for is said by names under `spmdc.`; such
// a text begins with `spmdc.flat(1)`.
std::string Write(const ir::Module& module);

}  // namespace spmdc::text::native
