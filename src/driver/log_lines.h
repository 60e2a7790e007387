// Programs in logs.
#pragma once

#include <string>

namespace spmdc::driver {

// The text with blanks for what a logger put in front of its lines, and for what a message says around the instruction that it
// tells of. Places stay as they are. A text whose first line, comments left out, is of no log is returned as it is.
//
//   I0530 12:00:00.123456 1234 hlo_pass.cc:12] %a = f32[8]{0} parameter(0)
//   2026-05-30 12:00:00.123456: W spmd_partitioner.cc:656] [SPMD] ... for HLO operation %a = f32[8]{0} parameter(0). As the ...
std::string WithoutLogPrefixes(std::string text);

}  // namespace spmdc::driver
