// Rules of custom calls that everybody knows by their targets.
#pragma once

#include "op/rule_builder.h"

namespace spmdc::ops {

// The rule of an op that this tool does not know: that of its target if Shardy has one for it, else none.
void RuleOfCustomCall(op::RuleBuilder& b);

}  // namespace spmdc::ops
