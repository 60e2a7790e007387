// Depth first without recursion: programs are deep.
#include "propagate/schedule.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/shape.h"

namespace spmdc::propagate {

namespace {

// Ops that run for themselves, not for a result.
bool IsRoot(const ir::Inst& inst) { return inst.num_results == 0 && op::Def(inst.op).side_effect; }

}  // namespace

Schedule::Schedule(const ir::Module& module, bool keep_unused) : module_(module) {
  for (ir::FuncId f : module.functions.ids()) {
    const ir::Function& function = module.functions[f];
    states_[f].assign(function.insts.size(), State::New);
    for (ir::InstId i : function.insts.ids()) {
      if (IsCall(f, i)) {
        call_site_[function.bodies(function.insts[i])[0]] = {f, i};
      }
    }
  }
  keep_unused_ = keep_unused && !has_calls();
}

// Whether XLA lays a value out row by row: what a transpose makes it does not, nor what elementwise ops make of that.
bool Schedule::IsRowMajor(ir::FuncId f, ir::ValueId v) const {
  const ir::Function& function = module_.functions[f];
  while (function.values[v].def.valid()) {
    const ir::Inst& inst = function.insts[function.values[v].def];
    const op::OpDef& def = op::Def(inst.op);
    if (def.make_attrs == ir::NewAttrs<ops::TransposeAttrs>) {
      return llvm::is_sorted(module_.attrs<ops::TransposeAttrs>(inst).permutation);
    }
    llvm::ArrayRef<ir::ValueId> operands = function.operands(inst);
    if (def.data_flow) {
      v = operands[static_cast<size_t>(function.values[v].index)];
      continue;
    }
    // The first operand decides; constants come last.
    const auto* first = llvm::find_if(operands, [&](ir::ValueId operand) {
      ir::InstId from = function.values[operand].def;
      return module_.type(function, operand).rank() != 0 &&
             !(from.valid() && op::Def(function.insts[from].op).constant_like);
    });
    if (!def.elementwise || def.is_constraint || first == operands.end()) {
      return true;
    }
    v = *first;
  }
  return true;
}

// XLA hangs an op nobody uses on each result, but for those without a sharding that it has to lay out anew; the inliner of
// calls removes them.
void Schedule::VisitReturned(ir::FuncId f, std::vector<Step>& order) {
  const ir::Function& function = module_.functions[f];
  for (size_t i = 0; i < function.results.size() && !has_calls(); ++i) {
    if (function.result_info[i].sharding.valid() || IsRowMajor(f, function.results[i])) {
      PushDef(f, function.results[i]);
      Visit({}, order);
    }
  }
}

bool Schedule::IsCall(ir::FuncId function, ir::InstId inst) const {
  return op::Def(module_.functions[function].insts[inst].op).region == op::Region::Call;
}

ir::ValueRef Schedule::Resolve(ir::FuncId f, ir::ValueId v) const {
  while (has_calls()) {
    const ir::Function& function = module_.functions[f];
    const ir::Value& value = function.values[v];
    if (value.def.valid()) {
      if (!IsCall(f, value.def)) {
        return {f, v};
      }
      f = function.bodies(function.insts[value.def])[0];
      v = module_.functions[f].results[value.index];
      continue;
    }
    Step site = call_site_.Get(f);
    if (!site.func.valid()) {
      return {f, v};
    }
    const ir::Function& caller = module_.functions[site.func];
    v = caller.operands(caller.insts[site.inst])[value.index];
    f = site.func;
  }
  return {f, v};
}

std::vector<Schedule::Step> Schedule::Of(ir::FuncId f) {
  std::vector<Step> order;
  const ir::Function& function = module_.functions[f];
  order.reserve(function.insts.size());
  for (ir::InstId i : function.insts.ids()) {
    if (IsRoot(function.insts[i])) {
      Visit({f, i}, order);
    }
  }
  if (f == module_.entry && !keep_unused_) {
    VisitReturned(f, order);
  }
  for (size_t i = function.results.size(); i-- > 0;) {
    PushDef(f, function.results[i]);
  }
  Visit({}, order);
  for (ir::InstId i : function.insts.ids()) {
    if (keep_unused_) {
      Visit({f, i}, order);
    }
  }
  return order;
}

void Schedule::Visit(Step root, std::vector<Step>& order) {
  if (root.func.valid()) {
    stack_.push_back(root);
  }
  while (!stack_.empty()) {
    Step top = stack_.back();
    State& state = states_[top.func][static_cast<size_t>(top.inst.index)];
    if (state == State::New) {
      state = State::Open;
      PushNeeded(top);
      continue;
    }
    stack_.pop_back();
    if (state == State::Open) {
      state = State::Done;
      if (!IsCall(top.func, top.inst)) {
        order.push_back(top);
      }
    }
  }
}

// The last one first, so that the first is visited first.
void Schedule::PushNeeded(Step step) {
  const ir::Function& function = module_.functions[step.func];
  const ir::Inst& inst = function.insts[step.inst];
  if (!IsCall(step.func, step.inst)) {
    for (size_t i = inst.num_operands; i-- > 0;) {
      PushDef(step.func, function.operands(inst)[i]);
    }
    return;
  }
  ir::FuncId callee = function.bodies(inst)[0];
  const ir::Function& called = module_.functions[callee];
  for (size_t i = called.results.size(); i-- > 0;) {
    PushDef(callee, called.results[i]);
  }
  for (size_t i = called.insts.size(); i-- > 0;) {
    ir::InstId id{static_cast<int32_t>(i)};
    if (IsRoot(called.insts[id])) {
      stack_.push_back({callee, id});
    }
  }
}

void Schedule::PushDef(ir::FuncId f, ir::ValueId v) {
  // Only the arguments of calls are looked through: a result of a call stands for all of them.
  while (!module_.functions[f].values[v].def.valid()) {
    Step site = call_site_.Get(f);
    if (!site.func.valid()) {
      return;
    }
    const ir::Function& caller = module_.functions[site.func];
    v = caller.operands(caller.insts[site.inst])[module_.functions[f].values[v].index];
    f = site.func;
  }
  stack_.push_back({f, module_.functions[f].values[v].def});
}

}  // namespace spmdc::propagate
