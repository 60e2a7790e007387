// Numbers in texts, as bits of one element: checked against the element type's range.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"
#include "tensor/dtype.h"

namespace spmdc::tensor {

// The bits of an integer or pred element; nothing where the word is no integer or out of the type's range. Radix 0: also
// `0x1F`. A pred is 0 or another number.
std::optional<uint64_t> IntegerBits(llvm::StringRef word, unsigned radix, DType type);

// What a finite number means that is larger than all of its type.
enum class Overflow : uint8_t { Refused, Infinity };
// The bits of a float element, from decimal digits, `inf` or `nan`; too small a number is zero.
std::optional<uint64_t> FloatBits(llvm::StringRef word, DType type, Overflow overflow);

}  // namespace spmdc::tensor
