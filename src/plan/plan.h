// The plan stage: how every instruction is sharded, and the reshards between those that disagree.
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"
#include "plan/policy.h"

namespace spmdc::plan {

// From a propagated program to a planned one: global types still, every instruction's operands and results sharded as its
// rule allows (partial results unreduced), typed `reshard` steps wherever two shardings disagree, each with its cause.
// Unused instructions are gone; constants stand where they are used. Functions keep their ids. Nothing after a diagnostic.
std::optional<ir::Module> Plan(const ir::Module& propagated, const Policy& policy, diag::Engine& diags);

}  // namespace spmdc::plan
