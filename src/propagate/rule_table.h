// Rules are few and ops are many: each rule is kept once.
#pragma once

#include <vector>

#include "propagate/graph.h"
#include "support/key_table.h"

namespace spmdc::propagate {

class RuleTable {
 public:
  explicit RuleTable(Graph& graph) : graph_(graph) {}

  // The rule's place in the list; kNone if no tensor of the op has a factor.
  int32_t Add(std::unique_ptr<op::Rule> rule);
  // The rule of an instruction: the one its text gives, else its op's.
  int32_t AddInst(const ir::Module& module, const ir::Function& function, const ir::Inst& inst);
  // Every tensor has one factor per dim.
  int32_t AddIdentity(llvm::ArrayRef<int64_t> dims, size_t num_operands);

 private:
  Graph& graph_;
  llvm::SmallVector<int32_t, 64> form_;
  KeyTable insts_;
  std::vector<int32_t> rule_of_inst_;  // by the number of the instruction's key
};

}  // namespace spmdc::propagate
