// The index of a case, as lax.cond and lax.switch make it.
#pragma once

#include "ir/module.h"

namespace spmdc::text::native {

// Whether a value is known to choose one of n branches: clamp(0, i, n - 1) of constants, or a pred as an integer.
bool IsClampedIndex(const ir::Module& module, ir::FuncId function, ir::ValueId value, int64_t n);

}  // namespace spmdc::text::native
