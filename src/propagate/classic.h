// The classic propagation (GSPMD): four runs to a fixpoint, each more daring than the one before.
//
// A run goes over each computation forward (taking from operands) and backward (taking from users) until nothing changes.
// Places are visited in that order, but only those with a changed neighbour.
#pragma once

#include "propagate/classic_graph.h"

namespace spmdc::propagate {

// Decides all states of the graph and spreads them.
void PropagateClassic(ClassicGraph& graph, int64_t num_devices);

}  // namespace spmdc::propagate
