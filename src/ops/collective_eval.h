// What collectives do to values: pure functions on the members' arrays, used by the runner.
#pragma once

#include <vector>

#include "op/collective.h"
#include "tensor/literal.h"

namespace spmdc::ops {

// The members' results, given their operands, both in the order of the group. Every kind but Permute. All operands have the
// same element type and dims. Narrow floats are summed in f32, in the order of the group, and rounded once.
std::vector<tensor::Literal> EvalCollective(const op::Collective& collective,
                                            llvm::ArrayRef<const tensor::Literal*> operands);

// What a permute brings to a device: the operand of the device that sends to it (`operands` by device number), or zeros.
tensor::Literal EvalPermute(const op::Collective& collective, llvm::ArrayRef<const tensor::Literal*> operands,
                            int64_t device);

}  // namespace spmdc::ops
