// Lowerings by the form of the instruction and where its tensors are.
#include "partition/known_lowerings.h"

#include "op/form.h"
#include "op/op_def.h"

namespace spmdc::partition {

int32_t KnownLowerings::NumberOf(const ir::Function& function, const ir::Inst& inst) {
  // Bodies are lowered with what owns them, and such ops may look further than their types (at a reduction's seed).
  if (inst.num_bodies != 0) {
    return kNone;
  }
  key_.clear();
  op::AppendForm(function, inst, key_);
  for (ir::ValueId v : function.operands(inst)) {
    key_.push_back(function.values[v].sharding.index);
  }
  for (size_t i = 0; i < inst.num_results; ++i) {
    key_.push_back(function.values[function.result(inst, i)].sharding.index);
  }
  auto [number, is_new] = keys_.Insert(key_);
  if (is_new) {
    lowerings_.emplace_back();
  }
  return number;
}

std::optional<llvm::SmallVector<ir::ValueId, 2>> KnownLowerings::Repeat(int32_t number,
                                                                        llvm::ArrayRef<ir::ValueId> operands,
                                                                        op::Builder& builder) const {
  if (number == kNone || !lowerings_[static_cast<size_t>(number)]) {
    return std::nullopt;
  }
  const Lowering& lowering = *lowerings_[static_cast<size_t>(number)];
  return builder.AddTyped(lowering.op, operands, lowering.attrs, lowering.types);
}

void KnownLowerings::Remember(int32_t number, llvm::ArrayRef<ir::ValueId> operands, llvm::ArrayRef<ir::ValueId> results,
                              ir::InstId first_made, op::Builder& builder) {
  const ir::Function& function = builder.module().functions[builder.function()];
  bool one_made = static_cast<size_t>(first_made.index) + 1 == function.insts.size();
  if (number == kNone || !one_made) {
    return;
  }
  const ir::Inst& made = function.insts[first_made];
  // A collective has a channel of its own.
  bool plain = made.num_bodies == 0 && op::Def(made.op).collective == nullptr && function.operands(made) == operands &&
               made.num_results == results.size();
  Lowering lowering{made.op, made.attrs, {}};
  for (size_t i = 0; i < results.size() && plain; ++i) {
    plain = function.result(made, i) == results[i];
    lowering.types.push_back(function.values[results[i]].type);
  }
  if (plain) {
    lowerings_[static_cast<size_t>(number)] = std::move(lowering);
  }
}

}  // namespace spmdc::partition
