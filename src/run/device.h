// The two interfaces between the scheduler and what runs programs: a Device runs a device's part up to the next
// collective, Collectives carry one out. The scheduler sees no data, so that devices may keep theirs where they like: host
// memory here, a GPU's memory, another process.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "run/interpreter.h"

namespace spmdc::run {

class Device {
 public:
  virtual ~Device() = default;
  // Its partition id.
  virtual int64_t id() const = 0;
  // Runs until the next collective, the end or a failure. May return before the work is done on the device, as long as
  // Collectives wait for it.
  virtual Stop Run() = 0;
  // After Stop::Collective: where it waits.
  virtual const Arrival& arrival() const = 0;
  // After Stop::Failed.
  virtual const Failure& failure() const = 0;
  // Instructions done so far: orders failures of different devices.
  virtual int64_t step() const = 0;
};

class Collectives {
 public:
  virtual ~Collectives() = default;
  // Whether a device runs in this process. The members that do are the `local` of Execute; the others' processes call
  // Execute for theirs.
  virtual bool is_local(int64_t device) const = 0;
  // Carries out one collective. All members in this process have arrived, in member order, with the same arrival but for
  // their place in the group; afterwards they can run on. Calls for disjoint groups may come from different threads. False
  // with `failure` where it cannot be done (a peer is missing, a library refuses).
  virtual bool Execute(llvm::ArrayRef<Device*> local, Failure& failure) = 0;
};

}  // namespace spmdc::run
