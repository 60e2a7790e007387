// What HLO has no op for: an op's own lowering, with every value as large as the text has it.
#include "text/hlo/expand.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/collective.h"
#include "ops/emit.h"
#include "source/source_manager.h"

namespace spmdc::text::hlo {
namespace {

// What the lowering of one instruction is handed where nothing is sharded.
class Unsharded final : public op::LocalizeContext {
 public:
  Unsharded(const ir::Module& module, const ir::Function& function, const ir::Inst& inst, op::Builder& builder,
            llvm::ArrayRef<ir::ValueId> operands)
      : module_(module), function_(function), inst_(inst), builder_(builder), operands_(operands) {}

  const ir::Module& planned() const override { return module_; }
  const ir::Function& function() const override { return function_; }
  const ir::Inst& inst() const override { return inst_; }
  const op::Rule& rule() const override { return rule_; }
  const op::FactorAxes& factors() const override { return factors_; }
  llvm::ArrayRef<ir::ValueId> operands() const override { return operands_; }
  ir::Type local_operand(size_t i) const override { return global_operand(i); }
  ir::Type local_result(size_t i) const override { return global_result(i); }
  const ir::Type& global_operand(size_t i) const override {
    return module_.type(function_, function_.operands(inst_)[i]);
  }
  const ir::Type& global_result(size_t i) const override { return module_.type(function_, function_.result(inst_, i)); }
  const mesh::Sharding& operand_sharding(size_t) const override { return sharding_; }
  const mesh::Sharding& result_sharding(size_t) const override { return sharding_; }
  op::Builder& builder() override { return builder_; }
  ir::FuncId body(size_t i) override { return function_.bodies(inst_)[i]; }
  ir::ValueId ShardIndex(mesh::MeshId, llvm::ArrayRef<mesh::AxisRef>, tensor::DType dtype) override {
    return ops::EmitScalar(builder_, dtype, 0);
  }
  ir::ValueId Mask(ir::ValueId x, size_t, int64_t, mesh::MeshId, llvm::ArrayRef<mesh::AxisRef>,
                   const tensor::Literal&) override {
    return x;
  }
  ir::FuncId MonoidBody(mesh::Monoid, tensor::DType) override { return {}; }
  int64_t NextChannel() override { return op::Def(inst_.op).collective(module_, function_, inst_).channel; }
  void Results(llvm::ArrayRef<ir::ValueId> values) override { results.assign(values.begin(), values.end()); }
  bool Refuse(std::string, std::string) override { return false; }

  llvm::SmallVector<ir::ValueId, 2> results;

 private:
  const ir::Module& module_;
  const ir::Function& function_;
  const ir::Inst& inst_;
  op::Builder& builder_;
  llvm::ArrayRef<ir::ValueId> operands_;
  const op::Rule rule_;
  const op::FactorAxes factors_;
  const mesh::Sharding sharding_;
};

// Builds one function anew: values move, since some instructions become several.
class FunctionExpander {
 public:
  FunctionExpander(const ir::Module& from, ir::Module& to, ir::FuncId id, diag::Engine& diags)
      : from_(from),
        old_(from.functions[id]),
        new_(to.functions[id]),
        builder_(to, id, diags),
        names_(old_),
        moved_(old_.values.size()) {}

  void Run() {
    new_ = old_.EmptyCopy();
    for (size_t i = 0; i < old_.args.size(); ++i) {
      moved_[old_.args[i]] = new_.AddArg(old_.values[old_.args[i]], old_.arg_info[i]);
    }
    for (const ir::Inst& inst : old_.insts) {
      llvm::SmallVector<ir::ValueId, 4> operands;
      for (ir::ValueId v : old_.operands(inst)) {
        operands.push_back(moved_.Get(v));
      }
      IsWrittenOut(from_, inst) ? Expand(inst, operands) : Copy(inst, operands);
    }
    for (ir::ValueId v : old_.results) {
      new_.results.push_back(moved_.Get(v));
    }
  }

 private:
  void Copy(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands) {
    llvm::SmallVector<ir::Value, 2> results;
    for (size_t i = 0; i < inst.num_results; ++i) {
      results.push_back(old_.values[old_.result(inst, i)]);
    }
    ir::InstId added = new_.AddInst(inst, operands, old_.bodies(inst), std::move(results));
    for (size_t i = 0; i < inst.num_results; ++i) {
      moved_[old_.result(inst, i)] = new_.result(new_.insts[added], i);
    }
  }

  // The last instruction makes the result, and carries what the user said about it; helpers are named after their ops.
  void Expand(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands) {
    builder_.set_tag({inst.span, inst.source, {}, inst.cause});
    auto first_value = static_cast<int32_t>(new_.values.size());
    Unsharded context(from_, old_, inst, builder_, operands);
    bool good = op::Def(inst.op).localize(context) && context.results.size() == 1 && context.results[0].valid();
    SPMDC_CHECK(good, "writing out " + ir::Mnemonic(inst.op).str());
    ir::ValueId old_result = old_.result(inst), made = context.results[0];
    for (int32_t v = first_value; v < static_cast<int32_t>(new_.values.size()); ++v) {
      ir::Value& value = new_.values[ir::ValueId{v}];
      if (v != made.index) {
        value.name = names_.Unique(ir::Mnemonic(new_.insts[value.def].op));
      }
    }
    ir::Value& value = new_.values[made];
    ir::InstId def = value.def;
    uint32_t index = value.index;
    value = old_.values[old_result];
    value.def = def;
    value.index = index;
    new_.insts[def].side = inst.side;
    moved_[old_result] = made;
  }

  const ir::Module& from_;
  const ir::Function& old_;
  ir::Function& new_;
  op::Builder builder_;
  ir::NameTable names_;
  IdMap<ir::ValueId, ir::ValueId> moved_;
};

}  // namespace

bool IsWrittenOut(const ir::Module& module, const ir::Inst& inst) {
  if (inst.op == ir::OpKind::AllToAll) {
    const auto& attrs = module.attrs<ops::CollectiveAttrs>(inst);
    return attrs.dim != attrs.concat_dim;
  }
  const op::OpDef& def = op::Def(inst.op);
  bool has_word = !def.hlo_opcode.empty() || !def.custom_call.empty() || def.is_constraint;
  return def.elementwise && def.localize != nullptr && !has_word;
}

bool HasWrittenOut(const ir::Module& module) {
  return llvm::any_of(module.functions, [&](const ir::Function& function) {
    return llvm::any_of(function.insts, [&](const ir::Inst& inst) { return IsWrittenOut(module, inst); });
  });
}

ir::Module WriteOut(const ir::Module& module) {
  ir::Module out = module;
  source::SourceManager no_text;
  diag::Engine diags(&no_text);
  for (ir::FuncId id : module.functions.ids()) {
    FunctionExpander(module, out, id, diags).Run();
  }
  return out;
}

}  // namespace spmdc::text::hlo
