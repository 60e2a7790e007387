// Reads HLO text: what writer.h writes, and what XLA prints of the same ops, in short and long forms.
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::text::hlo {

// Brackets and computations nested deeper than this are refused (kind `too-deep`).
inline constexpr int kMaxNesting = 200;

struct ReadOptions {
  llvm::StringRef entry;  // the computation to enter; empty: the one that says ENTRY
  int64_t devices = 0;    // how many a text is for whose header and collectives leave it open; 0: one
};

// The program of a file, checked by op::Verify; nothing after at least one error. Tuples are dissolved: an element has the
// name of the get-tuple-element that takes it out, else `tuple.k`. A program is taken as per-device if its entry's name
// ends in `_spmd` or an instruction says `is_spmd_generated`. Unknown opcodes become OpKind::Opaque.
std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags);
std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags, const ReadOptions& options);

}  // namespace spmdc::text::hlo
