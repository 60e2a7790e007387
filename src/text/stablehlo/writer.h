// Writes programs as StableHLO text with sdy annotations, which this folder's reader and MLIR take.
#pragma once

#include <string>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::text::stablehlo {

// The text of a program: meshes and functions in order, ops in their short forms where these say everything, annotations as
// `sdy.sharding`, sources as locations behind the module. Names that MLIR cannot spell, or that are taken, get the nearest
// one. Side data of HLO texts other than frontend attributes has no place there and is left out. What CheckWritable refuses
// comes out under its name, without attributes.
std::string Write(const ir::Module& module);

// Whether every instruction has a form in StableHLO or sdy; false after a diagnostic (kind `unsupported-op`) for each that
// has none.
bool CheckWritable(const ir::Module& module, diag::Engine& diags);

}  // namespace spmdc::text::stablehlo
