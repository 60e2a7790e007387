// The pipeline as the tests run it, and the table of what its programs covered.
#include "property/pipeline.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "op/factor_axes.h"
#include "op/op_def.h"
#include "op/verify.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "propagate/propagate.h"
#include "property/generator.h"

namespace spmdc::property {

std::optional<Programs> Compile(const ir::Module& program, diag::Engine& diags) {
  if (!op::Verify(program, diags)) {
    return std::nullopt;
  }
  auto global = propagate::Propagate(program, {}, diags);
  if (!global || !op::Verify(*global, diags)) {
    return std::nullopt;
  }
  auto planned = plan::Plan(*global, plan::FewestBytes(), diags);
  if (!planned || !op::Verify(*planned, diags)) {
    return std::nullopt;
  }
  auto per_device = partition::Partition(*planned, diags);
  if (!per_device || !op::Verify(*per_device, diags)) {
    return std::nullopt;
  }
  return Programs{std::move(*global), std::move(*planned), std::move(*per_device)};
}

namespace {

void CountFactor(const mesh::Mesh& mesh, const op::Factor& factor, const mesh::AxisList& axes, Coverage& coverage) {
  auto add = [&](Aspect aspect) { ++coverage[{factor.kind, aspect}]; };
  add(factor.size % mesh::Product(axes) == 0 ? Aspect::Even : Aspect::Uneven);
  if (!mesh.device_ids.empty()) {
    add(Aspect::PermutedMesh);
  }
  for (const mesh::Axis& axis : mesh.axes) {
    if (axis.size == 1) {
      add(Aspect::SizeOneAxis);
      break;
    }
  }
  for (const mesh::AxisRef& ref : axes) {
    if (!mesh::IsWhole(mesh, ref)) {
      add(Aspect::SubAxis);
      break;
    }
  }
}

}  // namespace

void Count(const ir::Module& planned, Coverage& coverage) {
  for (const ir::Function& f : planned.functions) {
    for (const ir::Inst& inst : f.insts) {
      if (!op::HasRule(inst.op)) {
        continue;
      }
      op::Rule rule = op::RuleOf(planned, f, inst);
      op::FactorAxes axes = op::PlannedFactors(planned, f, inst, rule);
      for (size_t i = 0; i < axes.size(); ++i) {
        if (!axes[i].empty()) {
          CountFactor(planned.tables->meshes[planned.mesh], rule.factors[i], axes[i], coverage);
        }
      }
    }
  }
}

std::string Table(const Coverage& coverage) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0,-10}", "factor");
  for (const char* name : kAspectNames) {
    os << llvm::formatv("{0,15}", name);
  }
  os << "\n";
  for (op::FactorKind kind : {op::FactorKind::Map, op::FactorKind::New, op::FactorKind::Reduce, op::FactorKind::Index,
                              op::FactorKind::Piece, op::FactorKind::Window, op::FactorKind::Scan}) {
    os << llvm::formatv("{0,-10}", op::Name(kind));
    for (size_t a = 0; a < std::size(kAspectNames); ++a) {
      auto it = coverage.find({kind, static_cast<Aspect>(a)});
      os << llvm::formatv("{0,15}", it == coverage.end() ? 0 : it->second);
    }
    os << "\n";
  }
  os.flush();
  return text;
}

run::Inputs RandomInputs(const ir::Module& program, uint64_t seed) {
  Random random(seed);
  run::Inputs inputs;
  const ir::Function& entry = program.functions[program.entry];
  for (ir::ValueId v : entry.args) {
    const ir::Type& type = program.type(entry, v);
    tensor::Literal input(type.dtype, type.dims);
    for (int64_t i = 0; i < input.size(); ++i) {
      input.SetReal(i, (static_cast<double>(random.Below(33)) - 16) / 8);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace spmdc::property
