// How one instruction is sharded: which axes each factor of its rule has, and what that costs at its operands and results.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ir/module.h"
#include "op/factor_axes.h"
#include "op/op_def.h"
#include "plan/policy.h"
#include "plan/reshard.h"
#include "support/key_table.h"

namespace spmdc::plan {

struct Assignment {
  op::FactorAxes factors;
  llvm::SmallVector<mesh::ShardingId, 4> operands;  // where each operand is needed
  llvm::SmallVector<mesh::ShardingId, 2> results;  // where each result comes out; unreduced over sharded Reduce factors
  op::Exchanged exchanged;                         // in the instruction's own lowering; part of the cost
  Cost cost;
};

// What the choice depends on.
struct AssignmentProblem {
  ir::Tables& tables;
  const op::Rule& rule;
  int32_t rule_number = 0;  // like rules have one number
  op::Linear linear = op::Linear::No;
  mesh::MeshId mesh;
  llvm::SmallVector<ir::TypeId, 4> operand_types, result_types;
  // Where each operand is to be had (the first is where propagation wants the value), and where results are wanted.
  llvm::SmallVector<llvm::SmallVector<mesh::ShardingId, 2>, 4> operands;
  llvm::SmallVector<mesh::ShardingId, 2> results;
  // Operands that can be made anywhere for nothing (constants); they do not vote.
  llvm::SmallVector<bool, 4> free_operands;
  // What the op's own lowering exchanges with its factors sharded so (op::OpDef::exchange); null: nothing.
  std::function<std::optional<op::Exchanged>(const op::FactorAxes&)> exchange;
};

// Finds assignments and remembers them: models repeat their layers. An op that exchanges is looked at each time.
class Assigner {
 public:
  Assigner(const Policy& policy, Resharder& resharder) : policy_(policy), resharder_(resharder) {}

  // The best assignment by the policy. Candidates: for every factor, each list of axes that some tensor has on it, or none.
  // Null if a tensor cannot be brought to the mesh, or a result from it, whatever the assignment. Valid as long as this.
  const Assignment* Assign(const AssignmentProblem& problem);

 private:
  const Policy& policy_;
  Resharder& resharder_;
  KeyTable keys_;                                        // all of a problem but the exchange
  std::vector<std::unique_ptr<Assignment>> known_;       // by the key's number; null: none fits
  std::vector<std::unique_ptr<Assignment>> exchanging_;  // of problems with an exchange
};

}  // namespace spmdc::plan
