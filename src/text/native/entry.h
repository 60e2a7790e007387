// Tracing a function with given arguments: the entry of a file, and calls of jitted functions at the top level.
#pragma once

#include "text/native/jit.h"

namespace spmdc::text::native {

// A call or a lowering of a jitted function by the file itself: traced for its result types, and remembered as the entry.
// One that `runs` takes the memory of donated arguments.
Value CallAtTopLevel(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                     llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs, bool runs);

}  // namespace spmdc::text::native
