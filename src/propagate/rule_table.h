// Rules are few and ops are many: each rule is kept once.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "propagate/graph.h"

namespace spmdc::propagate {

class RuleTable {
 public:
  explicit RuleTable(std::vector<std::unique_ptr<PropagationRule>>& rules) : rules_(rules) {}

  // The rule's place in the list; kNone if no tensor of the op has a factor.
  int32_t Add(const op::Rule& rule);
  // Every tensor has one factor per dim.
  int32_t AddIdentity(llvm::ArrayRef<int64_t> dims, size_t num_operands);

 private:
  void Flatten(const op::Rule& rule);

  std::vector<std::unique_ptr<PropagationRule>>& rules_;
  llvm::SmallVector<int64_t, 64> flat_;
  std::unordered_map<std::string, int32_t> index_;
};

}  // namespace spmdc::propagate
