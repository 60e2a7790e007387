// Writes programs as HLO text, in XLA's short form: `add = f32[8]{0} add(x, y), metadata={...}`.
#pragma once

#include <string>

#include "diag/engine.h"
#include "ir/module.h"
#include "mesh/hlo_sharding.h"

namespace spmdc::text::hlo {

struct WriteOptions {
  mesh::GroupForm groups = mesh::GroupForm::Auto;
};

// The text of a program. A per-device program's entry ends in `_spmd`, and what spmdc put there says so
// (`is_spmd_generated`); a global program carries its shardings. Values with names that HLO cannot spell get the nearest
// one. What CheckWritable refuses comes out as a custom call that nobody implements.
std::string Write(const ir::Module& module, const WriteOptions& options);

// Whether every instruction has a form in HLO; false after a diagnostic (kind `unsupported-op`) for each that has none.
bool CheckWritable(const ir::Module& module, diag::Engine& diags);

}  // namespace spmdc::text::hlo
