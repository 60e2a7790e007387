// The walk behind NeededInsts.
#include "op/liveness.h"

#include "op/op_def.h"

namespace spmdc::op {

IdMap<ir::InstId, uint8_t> NeededInsts(const ir::Module& module, const ir::Function& function) {
  IdMap<ir::ValueId, uint8_t> needed_values(function.values.size());
  for (ir::ValueId v : function.results) {
    needed_values[v] = 1;
  }
  IdMap<ir::InstId, uint8_t> needed(function.insts.size());
  for (int32_t i = static_cast<int32_t>(function.insts.size()) - 1; i >= 0; --i) {
    const ir::Inst& inst = function.insts[ir::InstId{i}];
    const OpDef& def = Def(inst.op);
    bool acts = def.side_effect && (def.is_annotation == nullptr || !def.is_annotation(module, inst));
    uint8_t is_needed = acts ? 1 : 0;
    for (size_t r = 0; r < inst.num_results; ++r) {
      is_needed |= needed_values.Get(function.result(inst, r));
    }
    needed[ir::InstId{i}] = is_needed;
    if (is_needed != 0) {
      for (ir::ValueId v : function.operands(inst)) {
        needed_values[v] = 1;
      }
    }
  }
  return needed;
}

}  // namespace spmdc::op
