// Specs put on a program: the mesh it runs on, where its arguments and results are, constraints on values within.
#pragma once

#include "diag/engine.h"
#include "ir/module.h"
#include "specs/specs.h"

namespace spmdc::driver {

// Mesh, arguments and results of a program read from HLO or StableHLO; the native reader asks the specs while it traces.
// False after a diagnostic.
bool ApplyBoundary(const specs::Specs& specs, ir::Module& module, diag::Engine& diags);

// A sharding constraint behind each value that the specs name; all uses of the value go through it. False after a diagnostic.
bool ConstrainValues(const specs::Specs& specs, ir::Module& module, diag::Engine& diags);

}  // namespace spmdc::driver
