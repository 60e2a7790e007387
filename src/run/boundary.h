// The boundary of a per-device program: arguments cut into shards, results put together, devices made in between.
#pragma once

#include <memory>
#include <vector>

#include "run/host_device.h"
#include "run/run.h"
#include "run/virtual_devices.h"

namespace spmdc::run {

// The sharding that entry argument or result i of a per-device program has; null where nothing is said (replicated).
const mesh::Sharding* ArgSharding(const ir::Module& per_device, size_t i);
const mesh::Sharding* ResultSharding(const ir::Module& per_device, size_t i);

// One device's shard of a whole value, padding poisoned; the whole value without a sharding.
tensor::Literal ShardOf(const ir::Module& module, const mesh::Sharding* sharding, const tensor::Literal& whole,
                        int64_t device);

// The virtual devices of a per-device program, started on their shards of the inputs. observers: one a device, or none.
class DeviceGrid {
 public:
  DeviceGrid(const Program& program, const Inputs& inputs, const RunOptions& options,
             llvm::ArrayRef<Observer*> observers);
  bool Run(Failure& failure);
  RunStats stats() const { return scheduler_->stats(); }
  // Result i of a device, after Run.
  const tensor::Literal& result(int64_t device, size_t i) const;
  // Result i put together; global_type is the whole value's.
  tensor::Literal WholeResult(size_t i, const ir::Type& global_type) const;

 private:
  const Program& program_;
  std::vector<std::unique_ptr<HostDevice>> devices_;
  InProcessCollectives collectives_;
  std::unique_ptr<Scheduler> scheduler_;
};

}  // namespace spmdc::run
