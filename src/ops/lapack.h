// Calls of LAPACK as JAX makes them for CPUs: `lapack_sgetrf_ffi` and so on.
#pragma once

#include "op/eval.h"
#include "ops/custom_call_text.h"

namespace spmdc::ops {

// Whether a custom call's target is one of those.
bool IsLapackCall(llvm::StringRef target);
// Runs LAPACK's routine on each batch; settings are those of `backend_config`. False if the arrays are not what the routine
// takes and gives, or the library is not there: `cx.why` says which.
bool EvalLapackCall(op::EvalContext& cx, llvm::StringRef target, const CallSettings& settings);

}  // namespace spmdc::ops
