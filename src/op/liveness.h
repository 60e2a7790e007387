// Which instructions of a function are there for something.
#pragma once

#include "ir/module.h"

namespace spmdc::op {

// For each instruction whether results or side effects of the function need it; annotations need nothing. One walk, last
// instruction first.
IdMap<ir::InstId, uint8_t> NeededInsts(const ir::Module& module, const ir::Function& function);

}  // namespace spmdc::op
