// One copy of every called function a call site, and one body an instruction: afterwards the functions form a tree.
#pragma once

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::propagate {

// The first site keeps the function itself. Copies are named NAME_1, NAME_2, ... and say what they are copies of. False
// after a diagnostic (a function that calls itself, or more copies than can be held).
bool ClonePerCallSite(ir::Module& module, diag::Engine& diags);

}  // namespace spmdc::propagate
