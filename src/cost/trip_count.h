// How often loops run, where the program's constants say so.
#pragma once

#include <optional>

#include "ir/module.h"

namespace spmdc::cost {

// The number of iterations of a loop instruction whose condition depends only on carried scalars that start from constants
// and step by constants (a scan, a fori_loop). Found by running just that part of the condition and the step. Where the count
// depends on data, or exceeds a million: what the text says (XLA's `known_trip_count`), or nothing.
std::optional<int64_t> TripCount(const ir::Module& module, const ir::Function& function, const ir::Inst& loop);

}  // namespace spmdc::cost
