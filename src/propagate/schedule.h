// The order in which XLA hands a program to Shardy: from the results back to what they need, calls inlined.
//
// XLA walks a computation in post order from its root, first operand first. What nobody needs is not met, or comes last; of
// a call with several results all are met when one is needed. Inlining calls drops what nobody needs.
#pragma once

#include <vector>

#include "ir/module.h"

namespace spmdc::propagate {

class Schedule {
 public:
  // The functions of the module must form a tree (clone.h). keep_unused: as GSPMD sees a module, where ops that
  // nobody needs stand beside the others unless calls are inlined.
  explicit Schedule(const ir::Module& module, bool keep_unused = false);

  struct Step {
    ir::FuncId func;
    ir::InstId inst;
  };
  // The instructions that the results of a function (and ops with side effects) need, those of functions it calls
  // included, in order. Bodies of regions have schedules of their own.
  std::vector<Step> Of(ir::FuncId function);

  // The value that a value is once calls are inlined: an argument of a called function is the operand, a result of a call
  // what the function returns.
  ir::ValueRef Resolve(ir::FuncId function, ir::ValueId value) const;
  // Without calls every value is itself.
  bool has_calls() const { return call_site_.size() != 0; }

 private:
  bool IsCall(ir::FuncId function, ir::InstId inst) const;
  bool IsRowMajor(ir::FuncId f, ir::ValueId v) const;
  void VisitReturned(ir::FuncId f, std::vector<Step>& order);
  void Visit(Step root, std::vector<Step>& order);
  void PushNeeded(Step step);
  void PushDef(ir::FuncId function, ir::ValueId value);

  enum class State : uint8_t { New, Open, Done };

  const ir::Module& module_;
  bool keep_unused_ = false;
  IdMap<ir::FuncId, Step> call_site_;  // of called functions
  IdMap<ir::FuncId, std::vector<State>> states_;
  std::vector<Step> stack_;
};

}  // namespace spmdc::propagate
