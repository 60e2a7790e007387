// The opcodes that HLO's grammar has, those that this tool has no kind for among them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::text::hlo {

// Sorted.
llvm::ArrayRef<llvm::StringLiteral> Opcodes();
// Also `X-start`, `X-update` and `X-done` of any opcode X: XLA's short spelling of an asynchronous X.
bool IsOpcode(llvm::StringRef name);

}  // namespace spmdc::text::hlo
