// Sorting bodies by the region kind of the instructions that own them.
#include "op/regions.h"

#include "op/op_def.h"

namespace spmdc::op {

IdMap<ir::FuncId, uint8_t> AppliedBodies(const ir::Module& module) {
  IdMap<ir::FuncId, uint8_t> applied(module.functions.size());
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      if (inst.num_bodies == 0 || Def(inst.op).region != Region::Apply) {
        continue;
      }
      for (ir::FuncId body : function.bodies(inst)) {
        applied[body] = 1;
      }
    }
  }
  return applied;
}

}  // namespace spmdc::op
