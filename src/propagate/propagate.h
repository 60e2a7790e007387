// Propagation: from a program with some shardings to the same program with the sharding of every value decided.
//
// Nothing else changes: all values keep their names and their order. The only new functions are copies of those called
// from several sites, one a site (Function::clone_of, instance), because each copy may be sharded in its own way.
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::propagate {

struct Options {
  enum class Mode : uint8_t {
    Shardy,  // what XLA decides for a program that JAX hands it
    Sdy,     // Shardy's own pipeline on the text as it stands
    Gspmd,   // the classic algorithm of XLA's own partitioner
    None,    // exactly what is annotated; everything else is replicated
  };
  Mode mode = Mode::Shardy;
};

// The mode that `--propagation=` calls so.
Options::Mode ModeNamed(llvm::StringRef name);

// The program with shardings, arg_info and result_info decided and origins filled; nothing after an error in `diags`.
// A program without a mesh is for one device: it comes back as it is. So does one that has its origins: it is decided.
std::optional<ir::Module> Propagate(const ir::Module& module, const Options& options, diag::Engine& diags);

}  // namespace spmdc::propagate
