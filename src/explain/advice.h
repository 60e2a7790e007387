// What would make a collective cheaper: other placements of what is behind it, tried.
#pragma once

#include "explain/report.h"

namespace spmdc::explain {

// Gives collectives of the report their suggestions. Of those that matter, one of each that are alike, the arguments, results
// and constraints behind them are placed otherwise, one at a time, and the program is compiled so: what sends fewest bytes in
// all is told with its price, if that is fewer than the program sends and no device
// computes more for it. Needs Subject::typed; programs whose types say where
// arrays are have no such choice. How much is tried is limited by the program's size.
void AddAdvice(Report& report);

}  // namespace spmdc::explain
