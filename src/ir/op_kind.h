// Op kinds: the enumeration behind every instruction. What a kind means is in op::OpDef; passes ask that, never the kind.
#pragma once

#include <cstdint>

#include "llvm/ADT/StringRef.h"

namespace spmdc::ir {

enum class OpKind : uint16_t {
#define SPMDC_OP(name, mnemonic) name,
#include "ir/op_kind.def"
#undef SPMDC_OP
};

inline constexpr int kNumOpKinds = 0
#define SPMDC_OP(name, mnemonic) +1
#include "ir/op_kind.def"
#undef SPMDC_OP
    ;

llvm::StringRef Mnemonic(OpKind kind);

}  // namespace spmdc::ir
