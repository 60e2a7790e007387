// Sharding rules that the text gives for an op: Shardy's `sdy.sharding_rule`, which JAX writes for custom calls.
#pragma once

#include <optional>

#include "ir/module.h"
#include "op/rule.h"

namespace spmdc::op {

// The rule in an instruction's annotations; nothing without one, or if it does not fit the instruction's types.
std::optional<Rule> CustomRuleOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst);

// `#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, k=16, j=4} reduction={k}, custom>`. Nothing if the text is no
// rule for tensors of these types.
std::optional<Rule> ParseCustomRule(llvm::StringRef text, llvm::ArrayRef<const ir::Type*> operands,
                                    llvm::ArrayRef<const ir::Type*> results);

}  // namespace spmdc::op
