// The aggressive step: where factors compete for an axis, every tensor settles the conflict by itself.
//
// The axes of each factor are those on which the tensors that have it agree. The factor whose axes come from the largest
// tensor goes first; a tensor takes what its own state still allows, so that different tensors may be sharded along
// different factors by the same axis.
#pragma once

#include "propagate/basic.h"

namespace spmdc::propagate {

// One step; the tensors that changed. Results are updated before operands.
llvm::SmallBitVector AggressiveStep(Projection& projection, const StepOptions& options);

}  // namespace spmdc::propagate
