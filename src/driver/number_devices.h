// Programs on some of the devices only.
#pragma once

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::driver {

// Numbers the devices of every mesh from 0, in their order: devices 5 and 2 become 1 and 0. A program for n devices is for
// partitions 0 to n-1, whichever devices they are run on. False after a diagnostic.
bool NumberDevices(ir::Module& module, diag::Engine& diags);

}  // namespace spmdc::driver
