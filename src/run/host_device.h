// Virtual devices in this process: the interpreter as a Device, and collectives on literals.
#pragma once

#include <memory>
#include <vector>

#include "run/device.h"

namespace spmdc::run {

class HostDevice final : public Device {
 public:
  HostDevice(const Program& program, Interpreter::Options options) : interpreter_(program, std::move(options)) {}

  int64_t id() const override { return interpreter_.options().device; }
  Stop Run() override { return interpreter_.Run(); }
  const Arrival& arrival() const override { return interpreter_.arrival(); }
  const Failure& failure() const override { return interpreter_.failure(); }
  int64_t step() const override { return interpreter_.step(); }
  Interpreter& interpreter() { return interpreter_; }

 private:
  Interpreter interpreter_;
};

// All devices are HostDevices of this process.
class InProcessCollectives final : public Collectives {
 public:
  bool is_local(int64_t) const override { return true; }
  bool Execute(llvm::ArrayRef<Device*> local, Failure& failure) override;
};

}  // namespace spmdc::run
