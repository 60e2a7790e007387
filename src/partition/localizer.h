// Services for the lowering of one instruction: masks, device numbers, shared bodies, channels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "op/factor_axes.h"
#include "op/localize.h"
#include "op/op_def.h"
#include "partition/known_lowerings.h"

namespace spmdc::partition {

// What all functions of one run share.
struct Run {
  const ir::Module& planned;
  ir::Module& out;
  diag::Engine& diags;
  IdMap<ir::FuncId, uint8_t> applied;  // bodies of scalars
  KnownLowerings known = {};
  int64_t next_channel = 1;
  std::map<std::pair<mesh::Monoid, tensor::DType>, ir::FuncId> monoid_bodies = {};
  IdMap<ir::FuncId, ir::FuncId> bodies = {};  // planned -> per device
};

// One function of the per-device program while it is written.
struct Output {
  ir::FuncId function;
  op::Builder builder;
  ir::NameTable names;
  // Device numbers that the function has computed already.
  std::map<std::vector<int64_t>, ir::ValueId> shard_indices = {};
};

class Localizer final : public op::LocalizeContext {
 public:
  // The function for a body; none if something in it was refused.
  using BodyOf = std::function<ir::FuncId(ir::FuncId planned)>;

  // `operands` are this device's; padding is masked here as the rule asks.
  Localizer(Run& run, Output& output, const ir::Function& function, const ir::Inst& inst,
            llvm::ArrayRef<ir::ValueId> operands, BodyOf body_of);

  // Lowers the instruction. False after a diagnostic; else results() holds one value per result.
  bool Lower();
  llvm::ArrayRef<ir::ValueId> results() const { return results_; }

  const ir::Module& planned() const override { return run_.planned; }
  const ir::Function& function() const override { return function_; }
  const ir::Inst& inst() const override { return inst_; }
  const op::Rule& rule() const override { return rule_; }
  const op::FactorAxes& factors() const override { return factors_; }
  llvm::ArrayRef<ir::ValueId> operands() const override { return operands_; }
  ir::Type local_operand(size_t i) const override;
  ir::Type local_result(size_t i) const override;
  const ir::Type& global_operand(size_t i) const override;
  const ir::Type& global_result(size_t i) const override;
  const mesh::Sharding& operand_sharding(size_t i) const override;
  const mesh::Sharding& result_sharding(size_t i) const override;
  op::Builder& builder() override { return output_.builder; }
  ir::FuncId body(size_t i) override { return body_of_(function_.bodies(inst_)[i]); }
  ir::ValueId ShardIndex(mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes, tensor::DType dtype) override;
  ir::ValueId Mask(ir::ValueId x, size_t dim, int64_t global_size, mesh::MeshId mesh,
                   llvm::ArrayRef<mesh::AxisRef> axes, const tensor::Literal& fill) override;
  ir::FuncId MonoidBody(mesh::Monoid monoid, tensor::DType dtype) override;
  int64_t NextChannel() override { return run_.next_channel++; }
  void Results(llvm::ArrayRef<ir::ValueId> values) override { results_.assign(values.begin(), values.end()); }
  bool Refuse(std::string message, std::string help) override;

 private:
  const mesh::Sharding& Look(ir::ValueId v) const;
  void ReadFactorAxes();
  bool HaveBodies();
  bool CheckKinds();
  void MaskOperands();
  void AddAsItStands();

  Run& run_;
  Output& output_;
  const ir::Function& function_;
  const ir::Inst& inst_;
  const op::OpDef& def_;
  op::Rule rule_;
  op::FactorAxes factors_;
  llvm::SmallVector<ir::ValueId, 4> operands_;
  llvm::SmallVector<ir::ValueId, 2> results_;
  BodyOf body_of_;
};

}  // namespace spmdc::partition
