// An instruction with its factors sharded in one way: what its own lowering would exchange.
#pragma once

#include "ir/module.h"
#include "op/factor_axes.h"

namespace spmdc::op {

struct ShardedInst {
  const ir::Module& module;
  const ir::Function& function;
  const ir::Inst& inst;
  const Rule& rule;
  const FactorAxes& factors;

  template <typename T>
  const T& attrs() const {
    return module.attrs<T>(inst);
  }
  // Types of the whole values.
  const ir::Type& operand(size_t i) const { return module.type(function, function.operands(inst)[i]); }
  const ir::Type& result(size_t i) const { return module.type(function, function.result(inst, i)); }
  llvm::ArrayRef<mesh::AxisRef> axes(int32_t factor) const { return factors[static_cast<size_t>(factor)]; }
  // The axes that split a dim of a tensor.
  mesh::AxisList DimAxes(const TensorFactors& tensor, size_t dim) const;
  // What one device holds of a value.
  tensor::Dims LocalOperandDims(size_t i) const { return LocalDims(rule.operands[i], operand(i)); }
  tensor::Dims LocalResultDims(size_t i) const { return LocalDims(rule.results[i], result(i)); }

 private:
  tensor::Dims LocalDims(const TensorFactors& tensor, const ir::Type& type) const;
};

// What one device sends in an instruction's own lowering.
struct Exchanged {
  int64_t bytes = 0;
  int64_t collectives = 0;
};

}  // namespace spmdc::op
