// Back to the program: closed shardings on every value, boundaries that divide, origins.
#pragma once

#include "propagate/graph.h"

namespace spmdc::propagate {

struct ExportOptions {
  // Arguments and results of the entry are cut to what divides them.
  bool even_boundaries = true;
  // Also arguments and results of called functions and of manual regions are cut to what divides them.
  bool even_inner_boundaries = false;
  // Copies of a function whose arguments and results came out alike are made alike inside: the first one's.
  bool merge_copies = false;
};

// The longest prefix of each dim's axes that divides the dim; the axis where it ends may be cut.
mesh::Sharding EvenPrefix(const mesh::Sharding& sharding, llvm::ArrayRef<int64_t> dims);

// Writes the graph's states into the program that its view was built from.
void Export(const Graph& graph, const ExportOptions& options, ir::Module& module);

}  // namespace spmdc::propagate
