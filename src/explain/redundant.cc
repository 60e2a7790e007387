// Flops of the ops of the per-device program beside those of the ops they come from.
#include "explain/redundant.h"

#include <algorithm>

#include "op/op_def.h"

namespace spmdc::explain {

namespace {

// Floating point operations of an instruction on the types it has.
double Flops(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  double flops = op::Def(inst.op).flops;
  if (flops == 0 || inst.num_bodies != 0) {
    return 0;
  }
  op::Rule rule = op::RuleOf(module, function, inst);
  if (rule.factors.empty()) {
    return 0;
  }
  for (const op::Factor& factor : rule.factors) {
    flops *= static_cast<double>(factor.size);
  }
  return flops;
}

double Excess(const RedundantOp& op) { return op.flops * (1 - 1 / op.times); }

}  // namespace

std::vector<RedundantOp> FindRedundant(const ir::Module& propagated, const ir::Module& per_device) {
  std::vector<RedundantOp> found;
  double total = 0;
  for (const ir::Function& function : per_device.functions) {
    for (const ir::Inst& inst : function.insts) {
      double flops = inst.num_results == 0 ? 0 : Flops(per_device, function, inst);
      total += flops;
      ir::ValueRef whole = flops == 0 ? ir::ValueRef() : function.values[function.result(inst)].shard_of;
      if (!whole.func.valid()) {
        continue;
      }
      const ir::Function& from = propagated.functions[whole.func];
      ir::InstId def = from.values[whole.value].def;
      if (!def.valid() || from.insts[def].op != inst.op) {
        continue;
      }
      // In a manual region the program itself is that of a group of devices.
      auto devices = static_cast<double>(propagated.num_devices / mesh::Product(from.manual_axes));
      double share = Flops(propagated, from, from.insts[def]) / devices;
      if (share > 0 && flops > share) {
        found.push_back({whole.func, def, flops, flops / share});
      }
    }
  }
  found.erase(std::remove_if(found.begin(), found.end(), [&](const auto& op) { return Excess(op) * 100 < total; }),
              found.end());
  std::stable_sort(found.begin(), found.end(),
                   [](const RedundantOp& a, const RedundantOp& b) { return Excess(a) > Excess(b); });
  return found;
}

}  // namespace spmdc::explain
