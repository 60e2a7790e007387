// Collectives that are kept as text: in two halves, as they stand after optimisation (`all-reduce-start` ...
// `all-reduce-done`), and those of no known kind.
#pragma once

#include <optional>

#include "ir/module.h"
#include "op/collective.h"

namespace spmdc::cost {

// What an op that is kept as text begins: `all-gather-start(x), replica_groups={{0,1}}, dimensions={0}`. Nothing for other ops.
std::optional<op::Collective> StartedCollective(const ir::Module& module, const ir::Function& function,
                                                const ir::Inst& inst);
// Who is with whom in an op that is kept as text and has `replica_groups`, of whatever kind; nothing for other ops.
std::optional<op::Groups> WrittenGroups(const ir::Module& module, const ir::Inst& inst);
// `async-start(x), calls=f`: what f does is begun here.
bool StartsComputation(const ir::Module& module, const ir::Inst& inst);

}  // namespace spmdc::cost
