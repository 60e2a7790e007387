// Reshapes in the classic propagation (GSPMD).
#pragma once

#include "op/classic.h"

namespace spmdc::ops {

// As much of the sharding as the new dims can express; blocks that would not lie together are dropped.
std::optional<mesh::Sharding> CarryThroughReshape(const op::ClassicCarry& carry);

}  // namespace spmdc::ops
