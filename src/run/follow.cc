// Following values forward until nothing new is reached.
#include "run/follow.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::run {

namespace {

using Through = llvm::function_ref<bool(const ir::Function&, const ir::Inst&)>;

void Pass(const ir::Module& module, ir::FuncId f, const ir::Inst& inst, Through through, ValueSet& reached) {
  const ir::Function& function = module.functions[f];
  op::Region region = op::Def(inst.op).region;
  llvm::ArrayRef<ir::ValueId> operands = function.operands(inst);
  if (region == op::Region::None || region == op::Region::Apply) {
    bool any = llvm::any_of(operands, [&](ir::ValueId v) { return reached.count({f.index, v.index}) != 0; });
    for (uint32_t r = 0; any && r < inst.num_results && through(function, inst); ++r) {
      reached.insert({f.index, function.result(inst, r).index});
    }
    return;
  }
  size_t skip = region == op::Region::Branch ? 1 : 0;
  for (size_t b = 0; b < inst.num_bodies; ++b) {
    ir::FuncId id = function.bodies(inst)[b];
    const ir::Function& body = module.functions[id];
    for (size_t i = 0; i < body.args.size() && i + skip < operands.size(); ++i) {
      if (reached.count({f.index, operands[i + skip].index})) {
        reached.insert({id.index, body.args[i].index});
      }
    }
    bool condition = region == op::Region::Loop && b == 0;
    for (size_t r = 0; !condition && r < body.results.size(); ++r) {
      if (!reached.count({id.index, body.results[r].index})) {
        continue;
      }
      reached.insert({f.index, function.result(inst, r).index});
      if (region == op::Region::Loop) {
        reached.insert({id.index, body.args[r].index});
      }
    }
  }
}

}  // namespace

ValueSet Follow(const ir::Module& module, ir::ValueRef start, Through through) {
  ValueSet reached = {{start.func.index, start.value.index}};
  for (size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (ir::FuncId f : module.functions.ids()) {
      for (const ir::Inst& inst : module.functions[f].insts) {
        Pass(module, f, inst, through, reached);
      }
    }
  }
  return reached;
}

}  // namespace spmdc::run
