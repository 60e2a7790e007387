// The user's priorities: dims of priority 0 are propagated to the end before dims of priority 1 come in, and so on.
#pragma once

#include "propagate/engine.h"

namespace spmdc::propagate {

// Runs all levels of all priorities. Until its turn, a dim is closed and empty, and its axes are pinned so that no other
// dim of the tensor takes them.
void PropagateByPriority(Graph& graph);

}  // namespace spmdc::propagate
