// Literals as text: in HLO's spelling, in MLIR's and in Python's.
#pragma once

#include <string>

#include "tensor/literal.h"

namespace spmdc::ops {

// `1`, `{1, 2}`, `{ { 1, 2 }, { 3, 4 } }`: as XLA prints constants. `{...}` for an unknown literal.
std::string HloText(const tensor::Literal& literal);

// `dense<[[1.0, 2.0]]>`, `dense<1.0>` of a splat, `dense<"0x...">` of many elements, `dense_resource<__elided__>` of an unknown
// literal: an MLIR attribute without its type.
std::string MlirText(const tensor::Literal& literal);

// `[[1.0, 2.0], [3.0, inf]]`, as the native language spells static values; a splat as one number.
std::string PythonText(const tensor::Literal& literal);

}  // namespace spmdc::ops
