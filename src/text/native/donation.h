// Which results take the memory of donated arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::text::native {

// For every argument of an entry the result that takes its memory, or -1. A result takes that of the first donated argument
// of the same type in the same place (jax/_src/interpreters/mlir.py, _set_up_aliases).
std::vector<int64_t> DonationAliases(const ir::Module& module, const ir::Function& entry, std::vector<bool> donated);

// Warns of donated arguments whose memory no result takes, as JAX does: not where it is left to propagation where results
// are, nor of arguments that nothing uses. The aliases are in arg_info.
void WarnOfUnusedDonations(const ir::Module& module, const ir::Function& entry, const std::vector<bool>& donated,
                           diag::Engine& diags);

}  // namespace spmdc::text::native
