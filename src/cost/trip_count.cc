// Runs the scalars of a loop that are known, and counts.
#include "cost/trip_count.h"

#include "ir/side_text.h"
#include "llvm/ADT/DenseMap.h"
#include "op/op_def.h"

namespace spmdc::cost {
namespace {

constexpr int64_t kMaxTrips = 1'000'000;

using Known = std::optional<tensor::Literal>;

// The scalars of a function that follow from those of its arguments that are known.
class Scalars {
 public:
  Scalars(const ir::Module& module, const ir::Function& function) : module_(module), function_(function) {}

  Known Get(ir::ValueId v, llvm::ArrayRef<Known> args) {
    const ir::Value& value = function_.values[v];
    if (!value.def.valid()) {
      return value.index < args.size() ? args[value.index] : Known();
    }
    auto it = values_.find(v);
    if (it != values_.end()) {
      return it->second;
    }
    Known result = Evaluate(function_.insts[value.def], value, args);
    values_[v] = result;
    return result;
  }
  void Forget() { values_.clear(); }

 private:
  // Chains of scalar instructions are short; deeper ones are taken as unknown.
  static constexpr int kMaxDepth = 64;

  Known Evaluate(const ir::Inst& inst, const ir::Value& value, llvm::ArrayRef<Known> args) {
    const op::OpDef& def = op::Def(inst.op);
    bool small = module_.type(value).rank() == 0 && module_.type(value).is_array();
    if (!small || def.eval == nullptr || inst.num_bodies != 0 || def.side_effect || depth_ >= kMaxDepth) {
      return std::nullopt;
    }
    ++depth_;
    llvm::SmallVector<tensor::Literal, 3> operands;
    for (ir::ValueId operand : function_.operands(inst)) {
      Known known = module_.type(function_, operand).rank() == 0 ? Get(operand, args) : Known();
      if (!known) {
        --depth_;
        return std::nullopt;
      }
      operands.push_back(known->Materialize());
    }
    --depth_;
    llvm::SmallVector<const tensor::Literal*, 3> pointers;
    for (const tensor::Literal& literal : operands) {
      pointers.push_back(&literal);
    }
    op::EvalContext cx(module_, function_, inst, pointers, 0, nullptr);
    if (!def.eval(cx)) {
      return std::nullopt;
    }
    return cx.results[value.index];
  }

  const ir::Module& module_;
  const ir::Function& function_;
  llvm::DenseMap<ir::ValueId, Known> values_;
  int depth_ = 0;
};

// `backend_config={"known_trip_count":{"n":"12"}, ...}`
std::optional<int64_t> StatedTripCount(const ir::Module& module, const ir::Inst& loop) {
  llvm::StringRef config = ir::SideText(module, loop.side, "backend_config");
  llvm::StringRef rest = config.split("\"known_trip_count\"").second.split("\"n\"").second.ltrim(": \"");
  int64_t count = 0;
  return rest.consumeInteger(10, count) || count < 0 ? std::nullopt : std::optional(count);
}

std::optional<int64_t> CountTrips(const ir::Module& module, const ir::Function& function, const ir::Inst& loop) {
  auto bodies = function.bodies(loop);
  const ir::Function& condition = module.functions[bodies[0]];
  const ir::Function& step = module.functions[bodies[1]];
  llvm::SmallVector<Known, 4> args;
  Scalars outside(module, function);
  for (ir::ValueId v : function.operands(loop)) {
    args.push_back(outside.Get(v, {}));
  }
  Scalars in_condition(module, condition), in_step(module, step);
  for (int64_t trips = 0; trips <= kMaxTrips; ++trips) {
    in_condition.Forget();
    Known goes_on = in_condition.Get(condition.results[0], args);
    if (!goes_on) {
      return std::nullopt;
    }
    if (goes_on->GetInt(0) == 0) {
      return trips;
    }
    in_step.Forget();
    llvm::SmallVector<Known, 4> next(args);
    for (size_t i = 0; i < step.results.size(); ++i) {
      next[i] = args[i] ? in_step.Get(step.results[i], args) : Known();
    }
    args = std::move(next);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> TripCount(const ir::Module& module, const ir::Function& function, const ir::Inst& loop) {
  std::optional<int64_t> counted = CountTrips(module, function, loop);
  return counted ? counted : StatedTripCount(module, loop);
}

}  // namespace spmdc::cost
