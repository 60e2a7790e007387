// Exchanges of neighbours' rows that follow one another, as those of stencils in a row do.
#pragma once

#include "explain/report.h"

namespace spmdc::explain {

// Exchanges over the same axes of which each needs what came of the one before. One that brings as many rows as all of them
// together can take their place: what lies between is then computed by both neighbours.
struct HaloChain {
  mesh::AxisList axes;
  int64_t length = 0;                         // how many follow one another
  const ReportedCollective* first = nullptr;  // in program order
  const ReportedCollective* last = nullptr;
};

// Of three and more, one for each function and axes, in program order.
std::vector<HaloChain> FindHaloChains(const Report& report);

}  // namespace spmdc::explain
