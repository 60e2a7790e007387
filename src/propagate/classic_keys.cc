// What decides whether a visit changes anything: level, rules, types, states.
#include "propagate/classic_keys.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::propagate {

namespace {

// Values of more uses are visited without a key: it would be longer than the visit.
constexpr size_t kManyUses = 8;

}  // namespace

bool ClassicKeys::IsPlain(int32_t o) const {
  return flow_.DefOf(o) != nullptr && g_.RegionOf(o) == op::Region::None && !view_.op(o).constraint;
}

void ClassicKeys::AddValue(int32_t v) {
  auto state = static_cast<size_t>(g_.StateOfValue(v));
  Add(view_.value(v).type.index);
  Add(g_.states[state].index * 2 + g_.fixed[state]);
}

void ClassicKeys::AddOp(int32_t o) {
  const ViewOp& op = view_.op(o);
  Add(static_cast<int32_t>(flow_.DefOf(o)->kind));
  Add(g_.rule_of_op[static_cast<size_t>(o)]);
  for (int32_t v : op.operands) {
    AddValue(v);
  }
  Add(-2);
  for (int32_t v : op.results) {
    AddValue(v);
  }
}

bool ClassicKeys::OfOp(int32_t o, int level) {
  const ViewOp& op = view_.op(o);
  if (!IsPlain(o) || op.results.empty()) {
    return false;
  }
  key_.clear();
  Add(level * 2 + (flow_.InnerUses(op.results[0]) == 1 ? 1 : 0));
  AddOp(o);
  return true;
}

bool ClassicKeys::OfValue(int32_t v, int level) {
  const auto& uses = view_.value(v).uses;
  int32_t def = view_.value(v).def;
  if (def == kNone || !IsPlain(def) || HasManyUses(view_.value(v)) ||
      !llvm::all_of(uses, [&](const ViewUse& use) { return IsPlain(use.op); })) {
    return false;
  }
  key_.clear();
  Add(-3 - level);
  Add(static_cast<int32_t>(flow_.DefOf(def)->kind));
  Add(g_.rule_of_op[static_cast<size_t>(def)]);
  AddValue(v);
  for (const ViewUse& use : uses) {
    Add(use.operand);
    AddOp(use.op);
  }
  return true;
}

bool ClassicKeys::HasManyUses(const ViewValue& value) { return value.uses.size() > kManyUses; }

bool ClassicKeys::IsRepeated(const ViewUse& use) {
  key_.clear();
  if (IsPlain(use.op)) {
    Add(use.operand);
    AddOp(use.op);
  }
  bool repeated = !key_.empty() && key_ == last_use_;
  last_use_ = key_;
  return repeated;
}

}  // namespace spmdc::propagate
