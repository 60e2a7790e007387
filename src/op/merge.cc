// The walk behind MergeInsts.
#include "op/merge.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::op {

namespace {

void SetOperands(ir::Function& f, ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands) {
  inst.first_operand = static_cast<uint32_t>(f.operand_pool.size());
  inst.num_operands = static_cast<uint32_t>(operands.size());
  f.operand_pool.insert(f.operand_pool.end(), operands.begin(), operands.end());
}

ir::Inst InPlaceOf(const ir::Inst& inst, const Merged& merged) {
  ir::Inst fresh = inst;
  fresh.num_bodies = merged.op == inst.op ? inst.num_bodies : 0;
  fresh.op = merged.op;
  fresh.attrs = merged.attrs;
  return fresh;
}

}  // namespace

// The instruction that is not yet among `insts`; its results learn where they are made.
void MergedModule::Put(ir::Function& to, ir::Inst inst, llvm::ArrayRef<ir::ValueId> operands,
                       Store<ir::InstId, ir::Inst>& insts) {
  SetOperands(to, inst, operands);
  ir::InstId id = insts.Add(inst);
  for (uint32_t r = 0; r < inst.num_results; ++r) {
    to.values[to.result(inst, r)].def = id;
  }
}

void MergedModule::Replace(ir::FuncId f, const Replaced& replaced) {
  ir::Function& to = module.functions[f];
  if (llvm::none_of(replaced, [](const auto& r) { return r.second.before.has_value(); })) {
    for (const auto& [i, merged] : replaced) {
      to.insts[i] = InPlaceOf(to.insts[i], merged);
      SetOperands(to, to.insts[i], merged.operands);
    }
    return;
  }
  Counterparts counterparts;
  counterparts.first_new = static_cast<int32_t>(to.values.size());
  Store<ir::InstId, ir::Inst> insts;
  const auto* next = replaced.data();
  const auto* end = next + replaced.size();
  for (ir::InstId i : to.insts.ids()) {
    const ir::Inst inst = to.insts[i];
    if (next == end || next->first != i) {
      llvm::SmallVector<ir::ValueId, 4> operands(to.operands(inst).begin(), to.operands(inst).end());
      Put(to, inst, operands, insts);
      counterparts.inst.push_back(i);
      continue;
    }
    const Merged& merged = next++->second;
    llvm::SmallVector<ir::ValueId, 2> operands = merged.operands;
    if (merged.before) {
      ir::Value value = to.values[operands[merged.before->operand]];
      value.type = module.tables->types.Intern(merged.before->type);
      value.index = 0;
      counterparts.value.push_back(operands[merged.before->operand]);
      operands[merged.before->operand] = to.values.Add(std::move(value));
      ir::Inst before;
      before.op = merged.before->op;
      before.attrs = merged.before->attrs;
      before.first_result = operands[merged.before->operand];
      before.num_results = 1;
      before.span = inst.span;
      before.source = inst.source;
      Put(to, before, merged.before->operands, insts);
      counterparts.inst.push_back(i);
    }
    Put(to, InPlaceOf(inst, merged), operands, insts);
    counterparts.inst.push_back(i);
  }
  to.insts = std::move(insts);
  added_.emplace(f.index, std::move(counterparts));
}

void MergedModule::InTermsOfGiven(ir::Module& planned) const {
  if (added_.empty()) {
    return;
  }
  auto added_to = [&](ir::FuncId f) {
    auto at = added_.find(f.index);
    return at == added_.end() ? nullptr : &at->second;
  };
  auto is_new = [](const Counterparts* added, ir::ValueId v) {
    return added != nullptr && v.index >= added->first_new;
  };
  for (ir::Cause& cause : planned.causes) {
    const Counterparts* of_value = cause.value.func.valid() ? added_to(cause.value.func) : nullptr;
    if (is_new(of_value, cause.value.value)) {
      cause.value.value = of_value->value[static_cast<size_t>(cause.value.value.index - of_value->first_new)];
    }
    const Counterparts* added = added_to(cause.func);
    if (added != nullptr && cause.inst.valid()) {
      cause.inst = added->inst[static_cast<size_t>(cause.inst.index)];
    }
  }
  for (ir::Function& function : planned.functions) {
    for (ir::Value& value : function.values) {
      const Counterparts* added = value.shard_of.func.valid() ? added_to(value.shard_of.func) : nullptr;
      value.shard_of = is_new(added, value.shard_of.value) ? ir::ValueRef() : value.shard_of;
    }
  }
}

std::optional<MergedModule> MergeInsts(const ir::Module& module) {
  std::optional<MergedModule> out;
  for (ir::FuncId f : module.functions.ids()) {
    const ir::Function& function = module.functions[f];
    MergedModule::Replaced replaced;
    for (ir::InstId i : function.insts.ids()) {
      auto merge = Def(function.insts[i].op).merge;
      if (std::optional<Merged> merged = merge != nullptr ? merge(module, function, function.insts[i]) : std::nullopt) {
        replaced.emplace_back(i, std::move(*merged));
      }
    }
    if (!replaced.empty()) {
      out = out ? std::move(out) : std::optional<MergedModule>(std::in_place, module);
      out->Replace(f, replaced);
    }
  }
  return out;
}

}  // namespace spmdc::op
