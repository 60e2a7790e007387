// Instructions that planning takes in the place of others.
#pragma once

#include <optional>

#include "ir/module.h"

namespace spmdc::op {

// An instruction with the results of the one whose place it takes.
struct Merged {
  ir::OpKind op = ir::OpKind::Opaque;
  ir::AttrsId attrs;
  llvm::SmallVector<ir::ValueId, 2> operands;
};

// The module with every instruction replaced that another is known for (op::OpDef::merge); nothing if there is none. Values
// keep their ids, those that are used no more too.
std::optional<ir::Module> MergeInsts(const ir::Module& module);

}  // namespace spmdc::op
