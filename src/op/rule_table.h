// The rules of a module's instructions: rules are few and ops are many, so that each is made and kept once.
#pragma once

#include <memory>
#include <vector>

#include "ir/module.h"
#include "op/rule.h"
#include "support/key_table.h"

namespace spmdc::op {

class RuleTable {
 public:
  // The number of a rule (0, 1, ... in the order in which they came), and whether it is new. Like rules have one number.
  std::pair<int32_t, bool> Add(std::unique_ptr<Rule> rule);
  // The rule of an instruction, as RuleOf; all of one module.
  int32_t AddInst(const ir::Module& module, const ir::Function& function, const ir::Inst& inst);
  // Stays where it is.
  const Rule& operator[](int32_t number) const { return *rules_[static_cast<size_t>(number)]; }

 private:
  llvm::SmallVector<int32_t, 96> key_;  // of what is looked up
  KeyTable rule_keys_;                  // numbered as rules_
  std::vector<std::unique_ptr<Rule>> rules_;
  KeyTable forms_;
  std::vector<int32_t> rule_of_form_;  // by the form's number
};

}  // namespace spmdc::op
