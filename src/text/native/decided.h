// Programs in which nothing is left to decide, as the flat form writes them behind propagation.
#pragma once

#include "ir/module.h"

namespace spmdc::text::native {

// Whether the program is propagated: it then says where every array is.
inline bool IsDecided(const ir::Module& module) { return module.origins.size() != 0; }

// Makes the program a propagated one. Arrays without a placement are where their types say, whole on every device if those
// say nothing; that the text says so is the origin of every axis.
void Decide(ir::Module& module);

}  // namespace spmdc::text::native
