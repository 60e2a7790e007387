// Finding the first NaN, and the arguments behind it.
#include "run/nan_source.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "run/inputs.h"
#include "run/numbers.h"

namespace spmdc::run {

bool NaNSource::OnValue(const Event& event, Slot& slot, const tensor::Literal&, Failure&) {
  if (!HasNaN(slot.value)) {
    return true;
  }
  nans_.insert({event.func.index, event.value.index});
  const ir::Value& value = event.function.values[event.value];
  if (!value.def.valid()) {
    return true;
  }
  const ir::Inst& inst = event.function.insts[value.def];
  bool fresh = llvm::none_of(event.function.operands(inst), [&](ir::ValueId v) {
    return nans_.count({event.func.index, v.index}) != 0;
  });
  if (fresh && op::Def(inst.op).elementwise) {
    found_.insert({event.func.index, event.value.index});
  }
  return true;
}

int64_t MakePositive(const ir::Module& global, const NaNSource& source, const std::vector<char>& random,
                     Inputs& inputs) {
  auto elementwise = [](const ir::Function&, const ir::Inst& inst) { return op::Def(inst.op).elementwise; };
  const ir::Function& entry = global.functions[global.entry];
  int64_t count = 0;
  for (size_t i = 0; i < inputs.size() && i < random.size(); ++i) {
    if (!random[i] || !tensor::IsFloat(inputs[i].dtype())) {
      continue;
    }
    ValueSet reached = Follow(global, {global.entry, entry.args[i]}, elementwise);
    if (llvm::none_of(source.found(), [&](const auto& value) { return reached.count(value) != 0; })) {
      continue;
    }
    bool changed = false;
    double step = StepOf(global.type(entry, entry.args[i]));
    for (int64_t k = 0, n = inputs[i].size(); k < n; ++k) {
      double number = inputs[i].GetReal(k);
      if (number <= 0) {
        inputs[i].SetReal(k, step - number);
        changed = true;
      }
    }
    count += changed ? 1 : 0;
  }
  return count;
}

}  // namespace spmdc::run
