// Reader of the native language: a file is run as Python would run it, and its entry becomes a program.
#pragma once

#include <optional>
#include <string>

#include "diag/engine.h"
#include "ir/module.h"
#include "llvm/Support/raw_ostream.h"
#include "specs/specs.h"

namespace spmdc::text::native {

struct ReadOptions {
  std::string entry;    // the function to enter; empty: `main`, or what the script form says (LANGUAGE section 1)
  int64_t devices = 0;  // how many devices() gives; 0: as many as the file asks for
  // Said beside the file: a mesh in place of its own with the same axes, and where the entry's arguments and results are. May
  // be null.
  const specs::Specs* specs = nullptr;
  // So many evaluated expressions, or what takes as long, and a file is refused: reading ends within a second. A long text may
  // have some more.
  int64_t max_steps = 7'000'000;
};

// The program of a native file, or nothing after at least one error. What the file prints goes to print_out.
std::optional<ir::Module> Read(source::FileId file, const ReadOptions& options, diag::Engine& diags,
                               llvm::raw_ostream& print_out);

}  // namespace spmdc::text::native
