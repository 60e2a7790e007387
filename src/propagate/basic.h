// Factor by factor: the axes on which all tensors of an op agree, and the conflicts that cut them short.
//
// The basic step is cautious: an axis moves along a factor only as far as every tensor of the op can take it, whether the
// tensor has the factor or not. The aggressive step (aggressive.h) builds on the same pieces.
#pragma once

#include "llvm/ADT/SmallBitVector.h"
#include "propagate/projection.h"

namespace spmdc::propagate {

// Which way axes may move: from operands to results, from results to operands.
enum class Direction : uint8_t { None = 0, Forward = 1, Backward = 2, Both = 3 };
inline Direction Union(Direction a, Direction b) {
  return static_cast<Direction>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}

// What a step is told besides the projection.
struct StepOptions {
  llvm::ArrayRef<Direction> directions;  // per factor
  bool elementwise = false;              // the op is elementwise
};

// The longest list of axes of a factor that no tensor's list contradicts. Tensors on the side that axes move from may
// lengthen the list; those on the other side may only shorten it. Nothing for Direction::None.
mesh::AxisList CompatibleAxes(const Projection& projection, size_t factor, Direction direction);

// The prefix of an axis that a factor of a tensor can take behind `sharded_size` shards of axes before it, as far as the
// tensor's own state of this factor and its pinned and unreduced axes say. Size 0: nothing.
mesh::AxisRef PrefixWithinFactor(mesh::AxisRef axis, const mesh::Sharding* sharding, const FactorSharding& cell,
                                 int64_t sharded_size, int64_t factor_size);
// The prefix of an axis that meets no axis of other factors of the tensor.
mesh::AxisRef PrefixAcrossFactors(mesh::AxisRef axis, const Projection& projection, size_t tensor, size_t factor);

// Cuts a list at the first axis of which `prefix_of(axis, shards of the axes before it)` leaves less than all.
template <typename PrefixOf>
void TruncateAxes(mesh::AxisList& axes, PrefixOf prefix_of) {
  int64_t sharded_size = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    mesh::AxisRef kept = prefix_of(axes[i], sharded_size);
    if (kept.size == 0) {
      axes.truncate(i);
      return;
    }
    if (kept != axes[i]) {
      axes[i] = kept;
      axes.truncate(i + 1);
      return;
    }
    sharded_size *= kept.size;
  }
}

// Replaces a tensor's axes of a factor if they are a strict prefix of the new ones; whether it did.
bool Expand(Projection& projection, size_t tensor, size_t factor, llvm::ArrayRef<mesh::AxisRef> axes);

// One step: moves axes between the tensors of the projection. Returns the tensors that changed.
llvm::SmallBitVector BasicStep(Projection& projection, const StepOptions& options);

}  // namespace spmdc::propagate
