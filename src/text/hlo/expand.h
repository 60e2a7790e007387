// Programs in HLO's ops alone: what HLO has no op for is written out, as partitioning does it.
#pragma once

#include "ir/module.h"

namespace spmdc::text::hlo {

// Whether an instruction has no op in HLO, but ops that compute the same: CHLO's functions, and all-to-alls that split one dim
// and join another.
bool IsWrittenOut(const ir::Module& module, const ir::Inst& inst);
bool HasWrittenOut(const ir::Module& module);
// The same program with these written out. The results keep their names and shardings.
ir::Module WriteOut(const ir::Module& module);

}  // namespace spmdc::text::hlo
