// Lists of replicas and partitions as lists of devices.
#include "ops/device_numbering.h"

namespace spmdc::ops {

void AppendDevices(llvm::ArrayRef<int64_t> numbers, Numbering numbering, int64_t num_replicas, int64_t num_partitions,
                   std::vector<llvm::SmallVector<int64_t, 8>>& lists) {
  auto add = [&](auto device_of, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      llvm::SmallVector<int64_t, 8>& list = lists.emplace_back();
      for (int64_t number : numbers) {
        list.push_back(device_of(number, i));
      }
    }
  };
  switch (numbering) {
    case Numbering::Devices:
      add([](int64_t device, int64_t) { return device; }, 1);
      return;
    case Numbering::Replicas:
      add([&](int64_t replica, int64_t partition) { return replica * num_partitions + partition; }, num_partitions);
      return;
    case Numbering::Partitions:
      add([&](int64_t partition, int64_t replica) { return replica * num_partitions + partition; }, num_replicas);
      return;
    case Numbering::ReplicasWithPartitions: {
      llvm::SmallVector<int64_t, 8>& list = lists.emplace_back();
      for (int64_t replica : numbers) {
        for (int64_t partition = 0; partition < num_partitions; ++partition) {
          list.push_back(replica * num_partitions + partition);
        }
      }
      return;
    }
  }
}

}  // namespace spmdc::ops
