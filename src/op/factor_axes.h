// Between the shardings of an instruction's tensors and the axes of its rule's factors.
#pragma once

#include <optional>

#include "ir/module.h"
#include "op/rule.h"

namespace spmdc::op {

// One list per factor of a rule.
using FactorAxes = llvm::SmallVector<mesh::AxisList, 6>;

// The axes of each factor that a tensor's sharding says: a dim's axes are cut along its factors, major to minor; in a dim
// of several factors only what divides them evenly and leaves no gap counts.
FactorAxes ReadFactors(const Rule& rule, const TensorFactors& tensor, const mesh::Sharding& sharding);
// The sharding that factor axes give a tensor; nothing if a dim of several factors would be split with gaps or unevenly.
std::optional<mesh::Sharding> WriteTensor(const Rule& rule, const TensorFactors& tensor, const FactorAxes& factors,
                                          mesh::MeshId mesh);

// The axes of each factor of an instruction whose tensors agree about them: one of a planned program. `rule` is its rule.
FactorAxes PlannedFactors(const ir::Module& module, const ir::Function& function, const ir::Inst& inst,
                          const Rule& rule);

}  // namespace spmdc::op
