// Literals in HLO's spelling.
#pragma once

#include <optional>
#include <string>

#include "ir/type.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::text::hlo {

// Reads `1`, `{1, 2}`, `{ { 1, 2 }, { 3, 4 } }`, `-inf`, `nan`, `(1, 2)` (complex), `{...}` (unknown). Otherwise nothing, and
// `problem` says what was expected and `at` where in the text.
std::optional<tensor::Literal> ParseLiteral(llvm::StringRef text, const ir::Type& type, std::string& problem,
                                            llvm::StringRef& at);

}  // namespace spmdc::text::hlo
