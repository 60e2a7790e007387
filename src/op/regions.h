// What the functions of a module that are bodies are for.
#pragma once

#include "ir/module.h"

namespace spmdc::op {

// For each function whether some instruction applies it to scalars many times (Region::Apply), or is an unknown op that does
// with it what it likes: planning and partitioning leave such bodies, and what those call, as they stand. One walk over the
// module.
IdMap<ir::FuncId, uint8_t> AppliedBodies(const ir::Module& module);

}  // namespace spmdc::op
