// Instructions that planning takes in the place of others.
#pragma once

#include <map>
#include <optional>

#include "ir/module.h"

namespace spmdc::op {

// An instruction with the results of the one whose place it takes.
struct Merged {
  // What is to stand before it, with the one result that is its operand `operand` in the place of the value given there.
  struct Before {
    ir::OpKind op = ir::OpKind::Opaque;
    ir::AttrsId attrs;
    llvm::SmallVector<ir::ValueId, 4> operands;
    ir::Type type;
    size_t operand = 0;
  };

  ir::OpKind op = ir::OpKind::Opaque;
  ir::AttrsId attrs;
  llvm::SmallVector<ir::ValueId, 2> operands;
  std::optional<Before> before;
};

// A module with instructions replaced. Values keep their ids, those that are used no more too; new ones come behind them.
// Instructions keep theirs but in functions where some were put before others.
class MergedModule {
 public:
  explicit MergedModule(const ir::Module& given) : module(given) {}

  ir::Module module;
  // Causes and counterparts in what was planned from the module, in terms of the given one: a new instruction counts as the one
  // that it was made for, a new value as the one whose place it takes; it has no counterpart.
  void InTermsOfGiven(ir::Module& planned) const;

 private:
  friend std::optional<MergedModule> MergeInsts(const ir::Module& module);
  struct Counterparts {
    std::vector<ir::InstId> inst;    // by instruction
    std::vector<ir::ValueId> value;  // by value, from the first new one on
    int32_t first_new = 0;
  };
  using Replaced = std::vector<std::pair<ir::InstId, Merged>>;
  void Replace(ir::FuncId f, const Replaced& replaced);
  void Put(ir::Function& to, ir::Inst inst, llvm::ArrayRef<ir::ValueId> operands, Store<ir::InstId, ir::Inst>& insts);

  std::map<int32_t, Counterparts> added_;  // by function
};

// The module with every instruction replaced that another is known for (op::OpDef::merge); nothing if there is none.
std::optional<MergedModule> MergeInsts(const ir::Module& module);

}  // namespace spmdc::op
