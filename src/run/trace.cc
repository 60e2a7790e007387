// Recording and finding values of the global program.
#include "run/trace.h"

#include <cmath>

#include "op/op_def.h"

namespace spmdc::run {

namespace {

// Nothing is wider than 64-bit floats. There, n terms added up in another order may differ by about sqrt(n) roundings; n is
// the size of what the op reduces.
double OrderOfSums(const ir::Module& module, const Event& event, tensor::DType dtype) {
  ir::InstId def = event.function.values[event.value].def;
  if (tensor::Wider(dtype) != dtype || tensor::Epsilon(dtype) == 0 || !def.valid() ||
      !op::HasRule(event.function.insts[def].op)) {
    return 1;
  }
  double terms = 1;
  for (const op::Factor& factor : op::RuleOf(module, event.function, event.function.insts[def]).factors) {
    terms *= factor.kind == op::FactorKind::Reduce ? static_cast<double>(factor.size) : 1;
  }
  return std::sqrt(terms);
}

}  // namespace

bool Trace::OnValue(const Event& event, Slot& slot, const tensor::Literal& wide, Failure&) {
  if (!wanted_.Get(event.func).Get(event.value)) {
    return true;
  }
  bytes_ += static_cast<int64_t>(slot.value.raw().size());
  if (bytes_ > limit_bytes_) {
    ++left_out_;
    return true;
  }
  Path path(event.path.begin(), event.path.end());
  Tolerance tolerance = ToleranceOf(slot.value, wide);
  tolerance.rounding *= OrderOfSums(global_, event, slot.value.dtype());
  executions_[{event.func, path, event.device}][event.value] = {slot.value, tolerance};
  return true;
}

const Recorded* Trace::Find(ir::ValueRef value, llvm::ArrayRef<int32_t> path, int64_t device) const {
  Path key(path.begin(), path.end());
  for (int64_t where : {int64_t{-1}, device}) {
    auto it = executions_.find({value.func, key, where});
    if (it != executions_.end()) {
      const Recorded& recorded = it->second.Get(value.value);
      if (!recorded.value.empty()) {
        return &recorded;
      }
    }
  }
  return nullptr;
}

}  // namespace spmdc::run
