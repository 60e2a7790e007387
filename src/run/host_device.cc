// Collectives among virtual devices: the ops' own meaning of them on arrays, for values and their wider copies.
#include "run/host_device.h"

#include <algorithm>

#include "ops/collective_eval.h"
#include "run/manual_region.h"

namespace spmdc::run {

using tensor::Literal;

namespace {

// Result r of each member from operand r of each, in member order.
void ExchangePart(const op::Collective& what, llvm::ArrayRef<int64_t> group, llvm::ArrayRef<Interpreter*> members,
                  size_t r, Literal Slot::*part, std::vector<std::vector<Slot>>& results) {
  std::vector<const Literal*> operands;
  for (Interpreter* member : members) {
    const Literal& operand = member->operands()[r].*part;
    if (operand.empty()) {
      return;
    }
    operands.push_back(&operand);
  }
  if (what.kind == op::CollectiveKind::Permute) {
    std::vector<const Literal*> by_device(static_cast<size_t>(*std::max_element(group.begin(), group.end())) + 1);
    for (size_t m = 0; m < members.size(); ++m) {
      by_device[static_cast<size_t>(group[m])] = operands[m];
    }
    for (size_t m = 0; m < members.size(); ++m) {
      results[m][r].*part = ops::EvalPermute(what, by_device, group[m]);
    }
    return;
  }
  std::vector<Literal> values = ops::EvalCollective(what, operands);
  for (size_t m = 0; m < members.size(); ++m) {
    results[m][r].*part = std::move(values[m]);
  }
}

}  // namespace

bool InProcessCollectives::Execute(llvm::ArrayRef<Device*> local, Failure&) {
  llvm::SmallVector<Interpreter*, 8> members;
  for (Device* device : local) {
    members.push_back(&static_cast<HostDevice*>(device)->interpreter());
  }
  const Arrival& arrival = members[0]->arrival();
  const ir::Inst& inst = members[0]->pending_inst();
  std::vector<std::vector<Slot>> results(members.size(), std::vector<Slot>(inst.num_results));
  if (!arrival.what) {
    std::vector<llvm::ArrayRef<Slot>> blocks;
    for (Interpreter* member : members) {
      blocks.push_back(member->operands());
    }
    results.assign(members.size(), ManualResults(members[0]->program().module(), inst, arrival.group, blocks));
  } else {
    double noise = 0;
    for (Interpreter* member : members) {
      for (const Slot& operand : member->operands()) {
        noise = std::max(noise, operand.noise);
      }
    }
    bool widen = members[0]->options().widening == Widening::PerOp;
    for (size_t r = 0; r < inst.num_results; ++r) {
      ExchangePart(*arrival.what, arrival.group, members, r, &Slot::value, results);
      if (widen) {
        for (Interpreter* member : members) {
          member->WidenOperand(r);
        }
      }
      ExchangePart(*arrival.what, arrival.group, members, r, &Slot::wide, results);
      for (std::vector<Slot>& slots : results) {
        slots[r].noise = noise;
      }
    }
  }
  for (size_t m = 0; m < members.size(); ++m) {
    members[m]->Resume(std::move(results[m]));
  }
  return true;
}

}  // namespace spmdc::run
