// Which results take the memory of arguments that are given away to any of them.
#pragma once

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::partition {

// Where results lie was open when the program was traced; now that it is known, each result without an argument's memory
// takes that of the first donor of as many bytes, as XLA has it. Warns of donors that are left.
void TakeDonations(ir::Module& per_device, diag::Engine& diags);

}  // namespace spmdc::partition
