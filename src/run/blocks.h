// Blocks of arrays: what one device holds of a whole value, and back.
#pragma once

#include <optional>
#include <utility>

#include "ir/module.h"
#include "tensor/literal.h"

namespace spmdc::run {

using Range = llvm::SmallVector<std::pair<int64_t, int64_t>, 4>;

// The same as a corner and a size.
struct Box {
  tensor::Dims start;
  tensor::Dims extent;
};
Box BoxOf(const Range& range);

// Where a device stands on a mesh; nothing if the mesh does not have it.
std::optional<int64_t> PositionOf(const mesh::Mesh& mesh, int64_t device);

// Copies the box of `extent` at `from_start` of one array to `to_start` of another of the same element type. The target is
// made unique first.
void CopyBox(const tensor::Literal& from, llvm::ArrayRef<int64_t> from_start, tensor::Literal& to,
             llvm::ArrayRef<int64_t> to_start, llvm::ArrayRef<int64_t> extent);

// Calls back with (element offset in a, element offset in b, count) for every run of elements that is consecutive in both.
// Stops at the first false, and returns it.
bool ForEachRow(llvm::ArrayRef<int64_t> a_dims, llvm::ArrayRef<int64_t> a_start, llvm::ArrayRef<int64_t> b_dims,
                llvm::ArrayRef<int64_t> b_start, llvm::ArrayRef<int64_t> extent,
                llvm::function_ref<bool(int64_t, int64_t, int64_t)> row);

// The block of the device at a mesh position: LocalDims(sharding, whole) elements, poisoned behind the true range. The
// whole value itself where it is not split. Of a value that is unreduced the first device along those axes holds all, and
// the others the identity of the monoid.
tensor::Literal BlockOf(const tensor::Literal& whole, const mesh::Mesh& mesh, const mesh::Sharding& sharding,
                        int64_t position);

struct PlacedBlock {
  int64_t position;  // on the mesh
  const tensor::Literal* block;
};
// The whole value of `dims` that these blocks are of, padding dropped. One copy of each block is enough. Terms of a value
// that is unreduced are combined.
tensor::Literal JoinBlocks(llvm::ArrayRef<PlacedBlock> blocks, const mesh::Mesh& mesh, const mesh::Sharding& sharding,
                           llvm::ArrayRef<int64_t> dims);

// Fills everything behind the first `true_extent` elements of each dim with what no program may depend on: NaN, and for
// types without one a pattern of values in and out of every range.
void Poison(tensor::Literal& block, llvm::ArrayRef<int64_t> true_extent);

}  // namespace spmdc::run
