// What lax asks of its arguments and jnp does not.
#pragma once

#include "text/native/evaluator.h"

namespace spmdc::text::native {

// Whether values have one element type; a diagnostic where not.
bool HaveOneDType(Evaluator& ev, llvm::StringRef function, llvm::ArrayRef<Value> values);

}  // namespace spmdc::text::native
