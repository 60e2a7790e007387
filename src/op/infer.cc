// Typing of one instruction: arity, the op's own inference, then JAX's sharding in types where Explicit axes occur.
#include "op/infer.h"

#include "llvm/ADT/STLExtras.h"
#include "mesh/spec.h"
#include "op/op_def.h"
#include "op/rule_builder.h"

namespace spmdc::op {

const ir::Type& InferContext::body_arg(size_t body, size_t arg) const {
  const ir::Function& f = module.functions[bodies[body]];
  return module.type(f, f.args[arg]);
}

const ir::Type& InferContext::body_result(size_t body, size_t result) const {
  const ir::Function& f = module.functions[bodies[body]];
  return module.type(f, f.results[result]);
}

bool InferContext::Fail(diag::Kind kind, std::string message, std::string help) {
  auto handle = diags.Error(kind, span, ir::Mnemonic(def.kind).str() + ": " + message);
  if (!help.empty()) {
    handle.Help(std::move(help));
  }
  return false;
}

// A value that is reduced over exactly the axes over which other operands vary and it does not is taken as one that varies,
// as JAX takes it: the same numbers, nothing moves.
mesh::Sharding ExplicitContext::operand(size_t i) const {
  const ir::Type& type = infer.operands[i];
  if (!type.sharding.valid()) {
    return mesh::Replicated(mesh_id, type.rank());
  }
  mesh::Sharding own = infer.tables().shardings[type.sharding];
  if (own.reduced.empty()) {
    return own;
  }
  mesh::AxisList varying;
  for (const ir::Type& other : infer.operands) {
    if (other.sharding.valid()) {
      const mesh::AxisList& more = infer.tables().shardings[other.sharding].varying;
      varying.append(more.begin(), more.end());
    }
  }
  if (mesh::Subtract(mesh::AsSet(varying), own.varying) == own.reduced) {
    own.varying.append(own.reduced.begin(), own.reduced.end());
    own.varying = mesh::AsSet(own.varying);
    own.reduced.clear();
  }
  return own;
}

mesh::Sharding ExplicitContext::replicated_result(size_t i) const {
  return mesh::Replicated(mesh_id, infer.results[i].rank());
}

namespace {

bool CheckArity(InferContext& cx) {
  const OpDef& def = cx.def;
  auto wrong = [&](size_t n, int min, int max) {
    return static_cast<int64_t>(n) < min || (max >= 0 && static_cast<int64_t>(n) > max);
  };
  auto expected = [](int min, int max) {
    return max < 0      ? "at least " + std::to_string(min)
           : min == max ? std::to_string(min)
                        : std::to_string(min) + " to " + std::to_string(max);
  };
  if (wrong(cx.operands.size(), def.min_operands, def.max_operands)) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size()) + " operands, expected " +
                                                 expected(def.min_operands, def.max_operands));
  }
  if (wrong(cx.bodies.size(), def.min_bodies, def.max_bodies)) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.bodies.size()) + " regions, expected " +
                                                 expected(def.min_bodies, def.max_bodies));
  }
  return true;
}

// The mesh whose Explicit axes some operand's type or out_sharding names; none if there is none. False: two meshes.
bool FindMesh(InferContext& cx, mesh::MeshId& found) {
  if (cx.def.is_constraint && cx.out_sharding.valid()) {  // this may be another mesh than its operand's
    found = cx.tables().shardings[cx.out_sharding].mesh;
    return true;
  }
  auto look = [&](mesh::ShardingId id) {
    if (!id.valid()) {
      return true;
    }
    mesh::MeshId id_mesh = cx.tables().shardings[id].mesh;
    if (found.valid() && found != id_mesh) {
      return cx.Fail(diag::Kind::MeshMismatch,
                     "operands are typed on two meshes: " + mesh::Describe(cx.tables().meshes[found]) + " and " +
                         mesh::Describe(cx.tables().meshes[id_mesh]));
    }
    found = id_mesh;
    return true;
  };
  return llvm::all_of(cx.operands, [&](const ir::Type& type) { return look(type.sharding); }) && look(cx.out_sharding);
}

// No axis may stand for two dims of one result, and all axes must divide their dims.
bool CheckResult(InferContext& cx, size_t i, const mesh::Sharding& sharding, mesh::MeshId mesh_id) {
  const mesh::Mesh& mesh = cx.tables().meshes[mesh_id];
  mesh::AxisList seen;
  for (const mesh::DimSharding& dim : sharding.dims) {
    for (const mesh::AxisRef& ref : dim.axes) {
      if (mesh::Overlaps(ref, seen)) {
        std::string inputs;
        for (const ir::Type& type : cx.operands) {
          inputs += (inputs.empty() ? "" : ", ") + cx.Show(type);
        }
        return cx.Fail(diag::Kind::IllegalResult,
                       "with inputs " + inputs + " the result would use mesh axis '" + mesh::ToString(mesh, ref) +
                           "' for two dims: " + mesh::ToSpec(mesh, sharding),
                       "reshard an operand so that each mesh axis is used once, or say out_sharding=");
      }
      seen.push_back(ref);
    }
  }
  if (auto error = mesh::CheckDivisible(mesh, sharding, cx.results[i].dims, "result")) {
    return cx.Fail(error->kind, error->message, error->help);
  }
  return true;
}

bool InferShardings(InferContext& cx, mesh::MeshId mesh_id) {
  Rule rule;
  RuleBuilder builder(cx.module, cx.operands, cx.results, cx.attrs_id, cx.bodies, rule);
  if (cx.def.rule != nullptr) {
    cx.def.rule(builder);
  }
  ExplicitContext explicit_cx(cx, rule, mesh_id);
  bool good = cx.def.explicit_types != nullptr ? cx.def.explicit_types(explicit_cx) : InferExplicitDefault(explicit_cx);
  if (!good) {
    return false;
  }
  for (size_t i = 0; i < cx.results.size(); ++i) {
    const mesh::Sharding& sharding = explicit_cx.results[i];
    if (!CheckResult(cx, i, sharding, mesh_id)) {
      return false;
    }
    cx.results[i].sharding =
        mesh::NamesNoAxis(sharding) ? mesh::ShardingId() : cx.module.tables->shardings.Intern(sharding);
  }
  return true;
}

}  // namespace

bool InferTypes(InferContext& cx) {
  if (!CheckArity(cx) || !cx.def.infer(cx)) {
    return false;
  }
  mesh::MeshId mesh_id;
  if (!FindMesh(cx, mesh_id)) {
    return false;
  }
  // Ops with regions take their results' types, shardings included, from their bodies.
  bool typed_by_bodies = cx.def.region != Region::None && cx.def.region != Region::Apply;
  return !mesh_id.valid() || typed_by_bodies || InferShardings(cx, mesh_id);
}

}  // namespace spmdc::op
