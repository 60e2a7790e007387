// Rewrites of the view before propagation. They follow Shardy's import passes, which the results depend on.
#pragma once

#include "propagate/view.h"

namespace spmdc::propagate {

// Gives every use of a constant, of what is made of constants alone, and of a broadcast scalar a copy of its own, so that
// each can be sharded as its user likes. Copies stand in front of the original, in the order of the uses.
void SplitConstants(View& view);

// Edges over loops, branches, calls, barriers and manual regions: what feeds a value from several places and the values
// that are the same thing under other names are decided together.
void AddEdges(View& view);

// Constraints (and the operand shardings of manual regions) whose sharding is closed and undisputed hold for their operand
// too. Where an edge decides for the operand, its other uses go through the constraint instead.
void ApplyConstraints(View& view);

// The sharding that operand i of a manual region is wanted in, with unused manual axes pinned; for results likewise.
mesh::Sharding ManualOperandSharding(const View& view, int32_t o, size_t i);
mesh::Sharding ManualResultSharding(const View& view, int32_t o, size_t i);

}  // namespace spmdc::propagate
