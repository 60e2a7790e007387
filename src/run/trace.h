// What the global program computed: the values that a per-device program has counterparts of, per execution of a function,
// each with the error that rounding explains.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "run/compare.h"
#include "run/interpreter.h"

namespace spmdc::run {

struct Recorded {
  tensor::Literal value;
  Tolerance tolerance;
};

class Trace final : public Observer {
 public:
  // Keeps at most so many bytes of values; what comes later is left out and counted.
  Trace(const ir::Module& global, int64_t limit_bytes)
      : global_(global), wanted_(global.functions.size()), limit_bytes_(limit_bytes) {}

  void Want(ir::ValueRef value) { wanted_[value.func][value.value] = 1; }

  bool OnValue(const Event& event, Slot& slot, const tensor::Literal& wide, Failure& failure) override;

  // The value of an execution, on a device where it stands in a manual region; null if it was not kept or never made.
  const Recorded* Find(ir::ValueRef value, llvm::ArrayRef<int32_t> path, int64_t device) const;
  int64_t left_out() const { return left_out_; }

 private:
  using Execution = std::tuple<ir::FuncId, Path, int64_t>;
  const ir::Module& global_;
  IdMap<ir::FuncId, IdMap<ir::ValueId, char>> wanted_;
  std::map<Execution, IdMap<ir::ValueId, Recorded>> executions_;
  int64_t limit_bytes_;
  int64_t bytes_ = 0;
  int64_t left_out_ = 0;
};

}  // namespace spmdc::run
