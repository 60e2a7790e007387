// How much memory one device needs, by the lifetimes of the values of its program.
#pragma once

#include <string>

#include "ir/module.h"

namespace spmdc::cost {

// Bytes on one device. Values live from their definition to their last use; arguments and results live throughout, results
// in their argument's memory where the program says so.
struct Memory {
  int64_t argument_bytes = 0;
  int64_t result_bytes = 0;
  int64_t alias_bytes = 0;  // of results that reuse an argument's memory
  int64_t temp_bytes = 0;   // the largest sum of everything else that lives at once
  int64_t peak_bytes = 0;   // arguments + results - aliases + temporaries
  std::string peak_at;      // the value at whose definition temporaries peak
  ir::ValueRef peak_value;  // the same
};

Memory MeasureMemory(const ir::Module& per_device);

}  // namespace spmdc::cost
