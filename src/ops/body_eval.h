// Applying a body of scalar elementwise ops to whole arrays at once: what reductions through any body are evaluated with.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

// Whether every op of the body is elementwise or a constant, so that it can be applied to arrays.
bool IsElementwiseBody(const ir::Module& module, ir::FuncId body);
// The body's results for arrays of one shape in place of its scalar arguments. Results that depend on no argument are
// scalars.
llvm::SmallVector<tensor::Literal, 2> ApplyToArrays(op::EvalContext& cx, ir::FuncId body,
                                                    llvm::ArrayRef<tensor::Literal> args);

}  // namespace spmdc::ops
