// Methods of Python's own values.
#pragma once

#include "text/native/evaluator.h"

namespace spmdc::text::native {

// `text.split`, `items.append`, ...: the method bound to the value, or Missing.
Value PythonMethod(Evaluator& ev, const Value& object, llvm::StringRef name);
llvm::ArrayRef<Builtin> StrMethods();
// index, count (1): of sequences and texts.
Value IndexCount(Call& c);
// Attributes of built-in functions and types: `jnp.float32.dtype`, `P.UNCONSTRAINED`, `AxisType.Auto`, `dict.fromkeys`.
Value BuiltinAttr(Evaluator& ev, const Value& builtin, llvm::StringRef name);
// x.at, x.at[i] and their methods.
Value MakeAt(Evaluator& ev, const Value& array);
Value AtAttr(Evaluator& ev, const Value& at, llvm::StringRef name);
Value AtGetItem(Evaluator& ev, const Value& at, const Value& index);

}  // namespace spmdc::text::native
