// What the numbers in the groups and pairs of a collective count, and which devices they mean.
//
// A module runs on num_replicas x num_partitions devices; device number = replica * num_partitions + partition.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace spmdc::ops {

enum class Numbering : uint8_t { Replicas, Partitions, ReplicasWithPartitions, Devices };

// How XLA takes the numbers (CollectiveOpGroupMode). `has_flag`: the op is one that may say use_global_device_ids.
inline Numbering NumberingOf(bool has_channel, bool has_flag, bool global_ids) {
  if (!has_channel) {
    return Numbering::Replicas;
  }
  if (!has_flag) {
    return Numbering::Partitions;
  }
  return global_ids ? Numbering::Devices : Numbering::ReplicasWithPartitions;
}

// Appends the devices that a list of numbers means; where it leaves open which partition or replica, one list for each.
void AppendDevices(llvm::ArrayRef<int64_t> numbers, Numbering numbering, int64_t num_replicas, int64_t num_partitions,
                   std::vector<llvm::SmallVector<int64_t, 8>>& lists);

}  // namespace spmdc::ops
