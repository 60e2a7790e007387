// Which ops go first: five levels, each allowing what the ones before allow and more.
#pragma once

#include "propagate/engine.h"

namespace spmdc::propagate {

inline constexpr int kOpLevels = 5;

// What a level allows through a node:
//   0  ops that keep every element (elementwise, reshape, transpose, data flow) whose operands nobody else uses; dynamic
//      slices forward
//   1  the same without the condition on operands
//   2  pass-through factors of all ops, broadcasts backward only
//   3  everything but broadcasts forward
//   4  everything
NodeDirection DirectionAt(int level, const Node& node);

// All levels in order.
void PropagateByOps(Engine& engine);

}  // namespace spmdc::propagate
