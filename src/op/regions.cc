// Sorting bodies by the region kind of the instructions that own them.
#include "op/regions.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::op {

namespace {

// Whether only the op itself knows what its bodies are applied to: to scalars, or to whatever an unknown op does.
bool AppliesBodies(const ir::Inst& inst) {
  Region region = Def(inst.op).region;
  return region == Region::Apply || (region == Region::None && Def(inst.op).collective == nullptr);
}

void Mark(const ir::Module& module, ir::FuncId body, IdMap<ir::FuncId, uint8_t>& applied) {
  llvm::SmallVector<ir::FuncId, 4> left = {body};
  while (!left.empty()) {
    ir::FuncId id = left.pop_back_val();
    if (std::exchange(applied[id], 1) == 0) {
      llvm::append_range(left, module.functions[id].body_pool);
    }
  }
}

}  // namespace

IdMap<ir::FuncId, uint8_t> AppliedBodies(const ir::Module& module) {
  IdMap<ir::FuncId, uint8_t> applied(module.functions.size());
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      if (inst.num_bodies == 0 || !AppliesBodies(inst)) {
        continue;
      }
      for (ir::FuncId body : function.bodies(inst)) {
        Mark(module, body, applied);
      }
    }
  }
  return applied;
}

}  // namespace spmdc::op
