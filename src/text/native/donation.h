// Which results take the memory of donated arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace spmdc::text::native {

// For every argument of an entry the result that takes its memory, or -1. A result takes that of the first donated argument
// of the same type in the same place (jax/_src/interpreters/mlir.py, _set_up_aliases).
std::vector<int64_t> DonationAliases(const ir::Module& module, const ir::Function& entry, std::vector<bool> donated);

// Whether some result of an entry is where propagation puts it; which arguments' memory it can take is not known before.
bool AnyResultIsUnplaced(const ir::Module& module, const ir::Function& entry);

}  // namespace spmdc::text::native
