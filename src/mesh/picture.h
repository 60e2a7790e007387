// A sharding drawn on its mesh: which device holds which block, for values of any rank and meshes of any number of axes.
#pragma once

#include <string>

#include "mesh/sharding.h"

namespace spmdc::mesh {

// Text of at most max_cells cells, ASCII. Rank 0, 1 and 2 are drawn as a grid of blocks, each with the devices that hold
// it; higher ranks as one grid per block of the leading dims. Larger meshes are cut, and say so.
std::string Picture(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<int64_t> dims, int64_t max_cells = 256);

}  // namespace spmdc::mesh
