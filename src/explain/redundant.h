// Work that several devices do at once: ops of which one device computes more than its share.
#pragma once

#include <vector>

#include "ir/module.h"

namespace spmdc::explain {

struct RedundantOp {
  ir::FuncId func;  // in the propagated program
  ir::InstId inst;
  double flops = 0;  // of one device, once through
  double times = 1;  // how many devices compute the same
};

// Floating point operations of one device, loops once through.
double TotalFlops(const ir::Module& per_device);

// The ops that several devices compute alike, if what is too much is a hundredth or more of all that the device
// computes (loops once through); the largest excess first.
std::vector<RedundantOp> FindRedundant(const ir::Module& propagated, const ir::Module& per_device);

}  // namespace spmdc::explain
