// What of a long report people read first: collectives by the bytes they cost, those that are alike told once.
#pragma once

#include <vector>

#include "explain/report.h"

namespace spmdc::explain {

// Collectives of one kind, type, axes and trips that an op of one kind needs for one reason at one place of the source;
// only names and lines of the text differ, as those of layers do.
struct Alike {
  std::vector<const ReportedCollective*> all;  // in program order, at least one
  double wire_bytes = 0;                       // of those that count in the totals, together
};

// Most bytes first; equal ones in program order.
std::vector<Alike> ByBytes(llvm::ArrayRef<ReportedCollective> collectives);

// How many of them matter: as many as it takes to have 95 % of the bytes, but not fewer than a screen shows anyway.
size_t CountThatMatter(llvm::ArrayRef<Alike> by_bytes);

}  // namespace spmdc::explain
