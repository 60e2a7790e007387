// Merging shardings as the classic propagation (GSPMD) does: by the number of blocks, and by what two shardings share.
//
// GSPMD knows tiles of devices, not axes. On one mesh the two say the same: dims agree if their digits do, shardings of
// different dims join if they share no digit. Nothing here depends on the number of devices.
#pragma once

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "mesh/sharding.h"

namespace spmdc::propagate {

class ClassicMerge {
 public:
  explicit ClassicMerge(int64_t num_devices) : num_devices_(num_devices) {}

  // The number of different blocks; manual groups do not count.
  static int64_t NumBlocks(const mesh::Sharding& s);
  // Nothing is known but copies.
  static bool IsReplicated(const mesh::Sharding& s);
  // Every device is on its own: nothing may be decided about the value.
  bool IsManual(const mesh::Sharding& s) const;
  // Some of the devices hold copies, and some of them do not.
  bool IsPartial(const mesh::Sharding& s) const;

  bool IsMoreSpecific(const mesh::Sharding& a, const mesh::Sharding& b) const;
  // `into` with what `other` shards besides; only if that makes at least min_blocks blocks.
  bool MergeIfCompatible(const mesh::Sharding& other, int64_t min_blocks, mesh::Sharding& into) const;
  // Whether `into` is better than `other`, after merging `other` into it where both hold copies and may be combined.
  bool Merge(const mesh::Sharding& other, mesh::Sharding& into, bool may_combine) const;

  struct How {
    bool may_combine = false;  // shardings that hold copies may be joined
    bool may_reshard = false;  // blocks need not nest in those that are replaced
  };
  // What a value that has `known` (null: nothing) takes from `offered`; nothing if it keeps what it has.
  std::optional<mesh::Sharding> Improve(const mesh::Sharding& offered, const mesh::Sharding* known,
                                        llvm::ArrayRef<int64_t> dims, How how) const;

 private:
  int64_t num_devices_;
};

// Whether each block of `fine` lies within the block that the same device has under `coarse`.
bool NestsIn(const mesh::Sharding& fine, const mesh::Sharding& coarse, llvm::ArrayRef<int64_t> dims);
// Only the named dims keep their axes.
mesh::Sharding KeepDims(const mesh::Sharding& s, llvm::ArrayRef<int64_t> dims);

}  // namespace spmdc::propagate
