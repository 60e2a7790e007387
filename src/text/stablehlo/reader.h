// Reads StableHLO text with sdy annotations, as JAX and MLIR print it (pretty and generic forms).
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::text::stablehlo {

// Nesting deeper than this, of regions or attributes, is refused (kind `too-deep`).
inline constexpr int kMaxNesting = 200;

// The dialect of the op that a text begins with, where its results are left out: `stablehlo` of `"stablehlo.all_reduce"(...)`
// and of `stablehlo.add ...`. Empty for other beginnings, and for dialects that are not read.
llvm::StringRef DialectOfOp(llvm::StringRef text);

// The program of a file, checked by op::Verify; nothing after at least one error. Several errors are told in one run.
// Values are named as the text names them (without `%`); the results of `%0:2 = ...` are `0#0` and `0#1`. A value that a
// region captures becomes an operand of the op and an argument of the region's function, under the same name.
std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags);
// Enters the function of this name; empty: `main`, else the first public function, else the first.
std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags, llvm::StringRef entry);

}  // namespace spmdc::text::stablehlo
