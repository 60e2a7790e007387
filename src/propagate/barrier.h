// Propagation barriers (`sdy.propagation_barrier`): identities through which shardings go one way only, or not at all.
#pragma once

#include <optional>

#include "ir/module.h"
#include "propagate/basic.h"

namespace spmdc::propagate {

// Which way shardings go through a barrier; nothing for other instructions.
std::optional<Direction> BarrierOf(const ir::Module& module, const ir::Inst& inst);

}  // namespace spmdc::propagate
