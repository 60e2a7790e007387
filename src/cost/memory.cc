// Liveness over one function, with the bodies of its loops and branches on top of what lives around them.
#include "cost/memory.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::cost {
namespace {

struct Peak {
  int64_t bytes = 0;
  ir::ValueRef at;
};

// Temporaries of a function beyond its arguments and results.
Peak Temporaries(const ir::Module& module, ir::FuncId id) {
  const ir::Function& f = module.functions[id];
  IdMap<ir::ValueId, int32_t> last_use(f.values.size(), -1);
  for (ir::InstId inst : f.insts.ids()) {
    for (ir::ValueId v : f.operands(f.insts[inst])) {
      last_use[v] = inst.index;
    }
  }
  IdMap<ir::ValueId, uint8_t> stays(f.values.size());
  for (ir::ValueId v : f.args) {
    stays[v] = 1;
  }
  for (ir::ValueId v : f.results) {
    stays[v] = 1;
  }
  Peak peak;
  int64_t live = 0;
  for (ir::InstId inst_id : f.insts.ids()) {
    const ir::Inst& inst = f.insts[inst_id];
    op::Region region = op::Def(inst.op).region;
    Peak inner;
    if (region != op::Region::None && region != op::Region::Apply) {
      for (ir::FuncId body : f.bodies(inst)) {
        Peak in_body = Temporaries(module, body);
        if (in_body.bytes > inner.bytes) {
          inner = in_body;
        }
      }
    }
    for (size_t r = 0; r < inst.num_results; ++r) {
      ir::ValueId v = f.result(inst, r);
      live += stays.Get(v) != 0 ? 0 : module.type(f, v).bytes();
    }
    if (live + inner.bytes > peak.bytes) {
      bool own = !inner.at.func.valid() && inst.num_results > 0;
      peak = {live + inner.bytes, own ? ir::ValueRef{id, f.result(inst)} : inner.at};
    }
    llvm::SmallVector<ir::ValueId, 4> ends(f.operands(inst).begin(), f.operands(inst).end());
    for (size_t r = 0; r < inst.num_results; ++r) {
      ends.push_back(f.result(inst, r));
    }
    llvm::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (ir::ValueId v : ends) {
      if (stays.Get(v) == 0 && last_use.Get(v) <= inst_id.index) {
        live -= module.type(f, v).bytes();
      }
    }
  }
  return peak;
}

}  // namespace

Memory MeasureMemory(const ir::Module& module) {
  const ir::Function& entry = module.functions[module.entry];
  Memory memory;
  for (ir::ValueId v : entry.args) {
    memory.argument_bytes += module.type(entry, v).bytes();
  }
  for (ir::ValueId v : entry.results) {
    memory.result_bytes += module.type(entry, v).bytes();
  }
  for (const ir::BoundaryInfo& info : entry.arg_info) {
    if (info.alias >= 0 && static_cast<size_t>(info.alias) < entry.results.size()) {
      memory.alias_bytes += module.type(entry, entry.results[static_cast<size_t>(info.alias)]).bytes();
    }
  }
  Peak peak = Temporaries(module, module.entry);
  memory.temp_bytes = peak.bytes;
  memory.peak_value = peak.at;
  if (peak.at.func.valid()) {
    memory.peak_at = module.functions[peak.at.func].values[peak.at.value].name;
  }
  memory.peak_bytes = memory.argument_bytes + memory.result_bytes - memory.alias_bytes + memory.temp_bytes;
  return memory;
}

}  // namespace spmdc::cost
