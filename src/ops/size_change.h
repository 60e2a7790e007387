// JAX's rule of sharding in types for ops that change sizes of dims: slice, dynamic_slice, pad, split, convolution.
#pragma once

#include "op/infer.h"

namespace spmdc::ops {

// Result 0 keeps operand 0's sharding; a sharded dim whose size changed must still divide by its mesh axes; a result whose
// dims are all 1 is replicated. `what` names the op in the message as JAX does ("slicing").
bool KeepOperandSharding(op::ExplicitContext& cx, llvm::StringRef what);

}  // namespace spmdc::ops
