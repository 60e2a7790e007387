// Where NaN comes from: roots and logarithms of negative arguments, which would hide everything behind them.
#pragma once

#include "run/follow.h"
#include "run/interpreter.h"
#include "run/run.h"

namespace spmdc::run {

// Sees a run of the global program and finds elementwise ops that make NaN of operands without any.
class NaNSource final : public Observer {
 public:
  bool OnValue(const Event& event, Slot& slot, const tensor::Literal& wide, Failure& failure) override;
  const ValueSet& found() const { return found_; }

 private:
  ValueSet nans_;
  ValueSet found_;
};

// Makes those random float arguments positive that reach such an op by elementwise ops alone; how many there were.
int64_t MakePositive(const ir::Module& global, const NaNSource& source, const std::vector<char>& random,
                     Inputs& inputs);

}  // namespace spmdc::run
