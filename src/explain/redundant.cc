// Flops of the ops of the per-device program beside those of the ops they come from.
#include "explain/redundant.h"

#include <algorithm>

#include "op/op_def.h"
#include "op/rule_table.h"

namespace spmdc::explain {

namespace {

// Floating point operations of an instruction on the types it has.
double Flops(op::RuleTable& rules, const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  double flops = op::Def(inst.op).flops;
  if (flops == 0 || inst.num_bodies != 0 || inst.num_results == 0) {
    return 0;
  }
  const op::Rule& rule = rules[rules.AddInst(module, function, inst)];
  if (rule.factors.empty()) {
    return 0;
  }
  for (const op::Factor& factor : rule.factors) {
    flops *= static_cast<double>(factor.size);
  }
  return flops;
}

// Among how many devices an op that gives a value of this sharding is split; padding is no one's work twice.
int64_t Parts(const mesh::Sharding& result) {
  int64_t parts = mesh::Product(result.unreduced);
  for (const mesh::DimSharding& dim : result.dims) {
    parts *= mesh::ShardCount(dim);
  }
  return parts;
}

double Excess(const RedundantOp& op) { return op.flops * (1 - 1 / op.times); }

}  // namespace

double TotalFlops(const ir::Module& per_device) {
  op::RuleTable rules;
  double total = 0;
  for (const ir::Function& function : per_device.functions) {
    for (const ir::Inst& inst : function.insts) {
      total += Flops(rules, per_device, function, inst);
    }
  }
  return total;
}

std::vector<RedundantOp> FindRedundant(const ir::Module& propagated, const ir::Module& per_device) {
  std::vector<RedundantOp> found;
  op::RuleTable rules;
  double total = 0;
  for (const ir::Function& function : per_device.functions) {
    for (const ir::Inst& inst : function.insts) {
      double flops = Flops(rules, per_device, function, inst);
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
      int64_t devices = propagated.num_devices / mesh::Product(from.manual_axes);
      mesh::ShardingId result = function.values[function.result(inst)].sharding;
      int64_t parts = result.valid() ? Parts(per_device.tables->shardings[result]) : devices;
      if (parts < devices) {
        found.push_back({whole.func, def, flops, static_cast<double>(devices) / static_cast<double>(parts)});
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
