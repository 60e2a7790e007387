// The check that every stage's program passes: well formed, and typed as inference types it.
#pragma once

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::op {

// Definitions before uses, ids in range, bodies owned by one instruction, result types equal to what inference gives
// (but for which dims are bounded: that is as the text says), shardings of the value's rank. In a per-device program types are local and shardings speak of the whole value.
// False after at least one diagnostic.
bool Verify(const ir::Module& module, diag::Engine& diags);

// Whether every dim has one size. Else an error at the first value with a dim as in `f32[<=8]`, saying that it is not `what`
// ("partitioned").
bool CheckStatic(const ir::Module& module, llvm::StringRef what, diag::Engine& diags);

}  // namespace spmdc::op
