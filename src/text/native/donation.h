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

// Donated arguments whose memory no result takes, as JAX leaves them: where propagation is to say where results are, to the
// result that can use it (ir/donor.h), else with a warning. Arguments that nothing uses are passed over. The aliases are in
// arg_info.
void LeaveDonations(const ir::Module& module, ir::Function& entry, const std::vector<bool>& donated,
                    diag::Engine& diags);

}  // namespace spmdc::text::native
