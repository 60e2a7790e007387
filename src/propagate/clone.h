// One copy of every called function a call site, and one body an instruction: afterwards the functions form a tree.
#pragma once

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::propagate {

// Whether the tree of calls is finite and of a size that can be worked on; false after a diagnostic (a function that calls
// itself, or calls that expand to too many copies). Stages after the types walk that tree.
bool CheckCallTree(const ir::Module& module, diag::Engine& diags);

// The first site keeps the function itself. Copies are named NAME_1, NAME_2, ... and say what they are copies of. Needs a
// checked call tree.
void ClonePerCallSite(ir::Module& module);

}  // namespace spmdc::propagate
