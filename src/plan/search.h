// The search for the cheapest sequence of moves from one sharding to another of the same mesh.
#pragma once

#include "plan/reshard.h"

namespace spmdc::plan {

// Whether all uses in both shardings are digits of one split of each axis; (1)3 and (2)3 of an axis of 6 are not.
bool HaveCommonAtoms(const mesh::Mesh& mesh, const mesh::Sharding& a, const mesh::Sharding& b);

// Adds the cheapest sequence of moves to `path`; false if there is none. Both shardings are placements on the mesh and have
// common atoms; dims are the whole value's, bytes one element's.
bool FindPath(const mesh::Mesh& mesh, const mesh::Sharding& from, const mesh::Sharding& to,
              llvm::ArrayRef<int64_t> dims, int64_t element_bytes, Path& path);

// Bytes that every path sends at least: the part of the goal's block that a device cannot hold, whatever the order of the
// axes.
int64_t LeastBytes(const mesh::Sharding& from, const mesh::Sharding& to, llvm::ArrayRef<int64_t> dims,
                   int64_t element_bytes);

}  // namespace spmdc::plan
