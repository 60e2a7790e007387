// Lowering of one instruction to a device's part: what an op's `localize` is handed. The default is the same op with the
// same attributes on local operands; ops whose attributes name sizes or offsets say here what becomes of them.
#pragma once

#include <string>

#include "ir/module.h"
#include "op/builder.h"
#include "op/rule.h"
#include "op/sharded_inst.h"

namespace spmdc::op {

class LocalizeContext {
 public:
  virtual ~LocalizeContext() = default;

  // The planned program and the instruction in it.
  virtual const ir::Module& planned() const = 0;
  virtual const ir::Function& function() const = 0;
  virtual const ir::Inst& inst() const = 0;
  template <typename T>
  const T& attrs() const {
    return planned().attrs<T>(inst());
  }
  // The rule of the op, and the axes each factor is sharded over here.
  virtual const Rule& rule() const = 0;
  virtual const FactorAxes& factors() const = 0;
  llvm::ArrayRef<mesh::AxisRef> axes(int32_t factor) const { return factors()[static_cast<size_t>(factor)]; }
  ShardedInst sharded() const { return {planned(), function(), inst(), rule(), factors()}; }

  // Operands as this device holds them. Padding along sharded Reduce factors already holds the identity, unless the op
  // combines the parts of the factor by itself.
  virtual llvm::ArrayRef<ir::ValueId> operands() const = 0;
  // Types that this device's operands and results have.
  virtual ir::Type local_operand(size_t i) const = 0;
  virtual ir::Type local_result(size_t i) const = 0;
  // Types of the whole values.
  virtual const ir::Type& global_operand(size_t i) const = 0;
  virtual const ir::Type& global_result(size_t i) const = 0;
  virtual const mesh::Sharding& operand_sharding(size_t i) const = 0;
  virtual const mesh::Sharding& result_sharding(size_t i) const = 0;

  // Appends local instructions; they carry the source and cause of the instruction.
  virtual Builder& builder() = 0;
  // The function of the per-device program that stands for a body (copied, or partitioned with the loop).
  virtual ir::FuncId body(size_t i) = 0;
  // This device's number along a list of axes of a mesh, as a scalar of the given integer type; constant 0 for no axes.
  virtual ir::ValueId ShardIndex(mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes, tensor::DType dtype) = 0;
  // x where the global index of `dim` is below the true size, `fill` behind it: the one place that makes masks. x is a
  // device's block of a dim split by `axes`; nothing is emitted where the blocks are full.
  virtual ir::ValueId Mask(ir::ValueId x, size_t dim, int64_t global_size, mesh::MeshId mesh,
                           llvm::ArrayRef<mesh::AxisRef> axes, const tensor::Literal& fill) = 0;
  // A body `(a, b) -> monoid(a, b)` of scalars, shared by the program.
  virtual ir::FuncId MonoidBody(mesh::Monoid monoid, tensor::DType dtype) = 0;
  // The next free channel id; called in program order.
  virtual int64_t NextChannel() = 0;

  // The results, one per result of the instruction.
  virtual void Results(llvm::ArrayRef<ir::ValueId> values) = 0;
  // Refuses the instruction at its line (exit code 5); returns false.
  virtual bool Refuse(std::string message, std::string help = "") = 0;
};

}  // namespace spmdc::op
