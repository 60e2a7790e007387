// Lowering of one instruction: what its factors are sharded over, masks, then the op's own hook or the op as it stands.
#include "partition/localizer.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/emit.h"

namespace spmdc::partition {
namespace {

ir::Type Local(const ir::Type& type, const mesh::Sharding& sharding) {
  auto dims = mesh::LocalDims(sharding, type.dims);
  return ir::ArrayType(type.dtype, dims);
}

}  // namespace

Localizer::Localizer(Run& run, Output& output, const ir::Function& function, const ir::Inst& inst,
                     llvm::ArrayRef<ir::ValueId> operands, BodyOf body_of)
    : run_(run),
      output_(output),
      function_(function),
      inst_(inst),
      def_(op::Def(inst.op)),
      rule_(op::RuleOf(run.planned, function, inst)),
      operands_(operands.begin(), operands.end()),
      body_of_(std::move(body_of)) {}

bool Localizer::Lower() {
  if (!HaveBodies()) {
    return false;
  }
  if (def_.rule != nullptr) {
    ReadFactorAxes();
    if (!CheckKinds()) {
      return false;
    }
    MaskOperands();
  }
  if (def_.localize != nullptr) {
    if (!def_.localize(*this)) {
      return false;
    }
  } else {
    AddAsItStands();
  }
  SPMDC_CHECK(results_.size() == inst_.num_results, "lowering of " + ir::Mnemonic(inst_.op).str());
  for (size_t i = 0; i < results_.size(); ++i) {
    SPMDC_CHECK(results_[i].valid(), "lowering of " + ir::Mnemonic(inst_.op).str() + " left no value");
    SPMDC_CHECK(!global_result(i).is_array() || output_.builder.type(results_[i]) == local_result(i),
                "lowering of " + ir::Mnemonic(inst_.op).str() + " made " +
                    ir::ToString(*run_.out.tables, output_.builder.type(results_[i])) + ", expected " +
                    ir::ToString(*run_.out.tables, local_result(i)));
  }
  return true;
}

const mesh::Sharding& Localizer::Look(ir::ValueId v) const {
  return run_.planned.tables->shardings[function_.values[v].sharding];
}
ir::Type Localizer::local_operand(size_t i) const { return Local(global_operand(i), operand_sharding(i)); }
ir::Type Localizer::local_result(size_t i) const { return Local(global_result(i), result_sharding(i)); }
const ir::Type& Localizer::global_operand(size_t i) const {
  return run_.planned.type(function_, function_.operands(inst_)[i]);
}
const ir::Type& Localizer::global_result(size_t i) const {
  return run_.planned.type(function_, function_.result(inst_, i));
}
const mesh::Sharding& Localizer::operand_sharding(size_t i) const { return Look(function_.operands(inst_)[i]); }
const mesh::Sharding& Localizer::result_sharding(size_t i) const { return Look(function_.result(inst_, i)); }

// Every tensor that has a factor must say the same about it: that is what plan is for.
void Localizer::ReadFactorAxes() {
  factors_ = op::PlannedFactors(run_.planned, function_, inst_, rule_);
  auto check = [&](const op::TensorFactors& tensor, const mesh::Sharding& sharding) {
    auto expected = op::WriteTensor(rule_, tensor, factors_, sharding.mesh);
    SPMDC_CHECK(expected && expected->dims == sharding.dims,
                "plan left " + ir::Mnemonic(inst_.op).str() + " with shardings that do not fit its rule");
  };
  for (size_t i = 0; i < rule_.operands.size(); ++i) {
    check(rule_.operands[i], operand_sharding(i));
  }
  for (size_t i = 0; i < rule_.results.size(); ++i) {
    check(rule_.results[i], result_sharding(i));
  }
}

// A refusal in a body has been told; the instruction that owns it has nothing to run then.
bool Localizer::HaveBodies() {
  for (size_t i = 0; i < inst_.num_bodies; ++i) {
    if (!body(i).valid()) {
      return false;
    }
  }
  return true;
}

bool Localizer::CheckKinds() {
  for (size_t f = 0; f < factors_.size(); ++f) {
    op::FactorKind kind = rule_.factors[f].kind;
    if (factors_[f].empty() || !op::NeedsNeighbours(kind) || def_.exchange != nullptr) {
      continue;
    }
    const mesh::Sharding& on = inst_.num_results > 0 ? result_sharding(0) : operand_sharding(0);
    return Refuse("works along a dim that is sharded over '" +
                      mesh::ToString(run_.planned.tables->meshes[on.mesh], factors_[f]) +
                      "', and needs parts of the neighbours' blocks (" + op::Name(kind).str() +
                      " factor); such exchanges are not made",
                  "constrain the operand to a sharding that leaves the dim whole");
  }
  return true;
}

void Localizer::MaskOperands() {
  for (size_t i = 0; i < rule_.operands.size(); ++i) {
    const mesh::Sharding& sharding = operand_sharding(i);
    for (size_t d = 0; d < rule_.operands[i].dims.size(); ++d) {
      bool reduced = llvm::any_of(rule_.operands[i].dims[d], [&](int32_t f) {
        const op::Factor& factor = rule_.factors[static_cast<size_t>(f)];
        return factor.kind == op::FactorKind::Reduce && !factor.self_combining && !axes(f).empty();
      });
      if (reduced) {
        const ir::Type& type = global_operand(i);
        operands_[i] = Mask(operands_[i], d, type.dims[d], sharding.mesh, sharding.dims[d].axes,
                            op::Identity(rule_.operand_fill[i], type.dtype));
      }
    }
  }
}

void Localizer::AddAsItStands() {
  llvm::SmallVector<ir::FuncId, 2> bodies;
  for (size_t i = 0; i < inst_.num_bodies; ++i) {
    bodies.push_back(body(i));
  }
  auto added = output_.builder.Add(inst_.op, operands_, inst_.attrs, bodies);
  SPMDC_CHECK(added.has_value(), "local " + ir::Mnemonic(inst_.op).str() + " does not type");
  Results(*added);
}

ir::ValueId Localizer::ShardIndex(mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes, tensor::DType dtype) {
  std::vector<int64_t> key = {mesh.index, static_cast<int64_t>(dtype)};
  for (const mesh::AxisRef& ref : axes) {
    key.insert(key.end(), {ref.axis, ref.pre, ref.size});
  }
  auto [it, fresh] = output_.shard_indices.try_emplace(std::move(key));
  if (fresh) {
    it->second = ops::EmitShardIndex(output_.builder, run_.planned.tables->meshes[mesh], axes, dtype);
  }
  return it->second;
}

ir::ValueId Localizer::Mask(ir::ValueId x, size_t dim, int64_t global_size, mesh::MeshId mesh,
                            llvm::ArrayRef<mesh::AxisRef> axes, const tensor::Literal& fill) {
  int64_t shards = mesh::Product(axes);
  if (global_size % shards == 0) {
    return x;
  }
  tensor::DType dtype = ops::IndexType(mesh::LocalSize(global_size, shards) * shards);
  return ops::EmitMask(output_.builder, x, static_cast<int64_t>(dim), ShardIndex(mesh, axes, dtype), global_size, fill);
}

ir::FuncId Localizer::MonoidBody(mesh::Monoid monoid, tensor::DType dtype) {
  auto [it, fresh] = run_.monoid_bodies.try_emplace({monoid, dtype});
  if (!fresh) {
    return it->second;
  }
  ir::Function body;
  body.name = ir::Mnemonic(op::MonoidOp(monoid)).str() + "." + tensor::HloName(dtype).str();
  ir::Value scalar;
  scalar.type = run_.out.tables->types.Intern(ir::ArrayType(dtype, {}));
  for (const char* name : {"a", "b"}) {
    scalar.name = name;
    body.AddArg(scalar, {});
  }
  it->second = run_.out.functions.Add(std::move(body));
  ir::Function& f = run_.out.functions[it->second];
  op::Builder builder(run_.out, it->second, run_.diags);
  ir::ValueId combined = builder.Add1(op::MonoidOp(monoid), {f.args[0], f.args[1]});
  f.results.push_back(combined);
  f.result_info.emplace_back();
  return it->second;
}

bool Localizer::Refuse(std::string message, std::string help) {
  diag::Kind kind = op::Def(inst_.op).own_name != nullptr ? diag::Kind::UnsupportedOp : diag::Kind::CannotPartition;
  auto handle = run_.diags.Error(kind, inst_.span, op::NameOf(planned(), inst_).str() + ": " + message);
  if (!help.empty()) {
    handle.Help(std::move(help));
  }
  return false;
}

}  // namespace spmdc::partition
