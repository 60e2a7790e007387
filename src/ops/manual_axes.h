// The axes of a manual computation, from the names that a text has for them.
#pragma once

#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "ops/control.h"

namespace spmdc::ops {

// What is wrong with the axes of a manual computation.
struct ManualAxesError {
  diag::Kind kind;
  std::string message;
};

// Gives a manual computation its mesh, that of its shardings or else of the module, and the axes of these names.
std::optional<ManualAxesError> SetManualAxes(const ir::Module& module, llvm::ArrayRef<std::string> names,
                                             ManualComputationAttrs& attrs);

}  // namespace spmdc::ops
