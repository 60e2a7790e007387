// Who decided each axis: for every axis on every dim of a tensor the annotation behind it, and the step that brought it.
#pragma once

#include <vector>

#include "ir/module.h"
#include "propagate/projection.h"

namespace spmdc::propagate {

struct AxisOrigin {
  int32_t dim = 0;
  mesh::AxisRef axis;
  int32_t annotation = -1;  // in View::annotations
  int32_t node = -1;        // in Graph::nodes, the last one it came through; none where it was placed
  int32_t step = 0;         // counts changes of shardings
};
using TensorOrigins = llvm::SmallVector<AxisOrigin, 1>;

class OriginLog {
 public:
  // One list per tensor, then one per result of the entry.
  void Resize(size_t n) { lists_.resize(n); }
  llvm::ArrayRef<AxisOrigin> of(size_t tensor) const { return lists_[tensor]; }

  // All axes of the sharding come from an annotation; replaces what was known.
  void Place(size_t tensor, const mesh::Sharding& sharding, int32_t annotation);
  // Axes of one dim that an annotation adds to what is known.
  void PlaceDim(size_t tensor, size_t dim, const mesh::DimSharding& sharding, int32_t annotation);
  // The tensor at `changed` of the projection got the sharding `now`: its new axes come from the other tensors of the
  // projection, whose lists are `ids` (none: -1).
  void Record(const Projection& projection, size_t changed, llvm::ArrayRef<int32_t> ids, const mesh::Sharding& now,
              int32_t node);
  // The tensor got the sharding `now`: axes that are new on their dim come from the tensors in `sources`, the first that
  // has them; axes that are gone are forgotten.
  void RecordFrom(size_t tensor, const mesh::Sharding& now, llvm::ArrayRef<int32_t> sources, int32_t node);
  // A tensor takes all of another's list (sharding groups, copies).
  void Copy(size_t from, size_t to) { lists_[to] = lists_[from]; }

 private:
  const AxisOrigin* Find(const Projection& projection, size_t changed, llvm::ArrayRef<int32_t> ids, int32_t factor,
                         mesh::AxisRef axis) const;

  std::vector<TensorOrigins> lists_;
  int32_t step_ = 0;
};

}  // namespace spmdc::propagate
