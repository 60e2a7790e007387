// Why values are where they are: who decided, what did not get through, every step in order, the rules behind it.
#pragma once

#include <string>
#include <vector>

#include "explain/report.h"

namespace spmdc::explain {

// The values that are called so; a `%` in front does not count.
std::vector<ir::ValueRef> FindValues(const ir::Module& program, llvm::StringRef name);
// The names most like it, the most alike first.
std::vector<std::string> NearestNames(const ir::Module& program, llvm::StringRef name, size_t count);

// For each axis on each dim the annotation behind it, the op that it came through with its direction and step, and the values
// it was at before. Then what neighbours have on the
// same factors and this value has not, and why.
std::string WhyText(const Report& report, ir::ValueRef value);

// `step 3: 'h' dim 0 on data, from arg 0 (line 5), forward through dot_general 'h' from 'x'`, in the order of the steps. Then what did not
// get through anywhere, and how many arrays nobody decided.
std::string TraceText(const Report& report);

// For each op of the program its rule, with the axes that every factor has in each tensor.
std::string RulesText(const Report& report);

// Two propagations of one text: the first value that they place differently with the reasons of both, and what each costs.
std::string CompareText(const Report& a, const Report& b);

}  // namespace spmdc::explain
