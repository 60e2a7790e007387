// The walk behind MergeInsts.
#include "op/merge.h"

#include "op/op_def.h"

namespace spmdc::op {

std::optional<ir::Module> MergeInsts(const ir::Module& module) {
  std::optional<ir::Module> out;
  for (ir::FuncId f : module.functions.ids()) {
    const ir::Function& function = module.functions[f];
    for (ir::InstId i : function.insts.ids()) {
      const ir::Inst& inst = function.insts[i];
      auto merge = Def(inst.op).merge;
      std::optional<Merged> merged = merge != nullptr ? merge(module, function, inst) : std::nullopt;
      if (!merged) {
        continue;
      }
      if (!out) {
        out.emplace(module);
      }
      ir::Function& to = out->functions[f];
      ir::Inst& fresh = to.insts[i];
      fresh.num_bodies = merged->op == inst.op ? inst.num_bodies : 0;
      fresh.op = merged->op;
      fresh.attrs = merged->attrs;
      fresh.first_operand = static_cast<uint32_t>(to.operand_pool.size());
      fresh.num_operands = static_cast<uint32_t>(merged->operands.size());
      to.operand_pool.insert(to.operand_pool.end(), merged->operands.begin(), merged->operands.end());
    }
  }
  return out;
}

}  // namespace spmdc::op
