// Operands of elementwise functions.
#pragma once

#include "text/native/evaluator.h"

namespace spmdc::text::native {

// Arrays of the strict functions of lax: static numbers take the other argument's type. False after a diagnostic.
bool StrictArrays(Call& c, llvm::ArrayRef<Value> values, llvm::SmallVectorImpl<Value>& out);
// An array as a pred: which of its elements are not 0.
Value NotZero(Evaluator& ev, const Value& array);

}  // namespace spmdc::text::native
