// Which values of a program are made of a given one.
#pragma once

#include <set>
#include <utility>

#include "ir/module.h"

namespace spmdc::run {

using ValueSet = std::set<std::pair<int32_t, int32_t>>;  // function, value

// `start` and what is made of it: results of instructions that `through` lets pass, and what regions hand to their bodies
// and get from them.
ValueSet Follow(const ir::Module& module, ir::ValueRef start,
                llvm::function_ref<bool(const ir::Function&, const ir::Inst&)> through);

}  // namespace spmdc::run
