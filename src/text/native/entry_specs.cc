// Meshes and placements of specs as values of the language.
#include "text/native/entry_specs.h"

#include "llvm/ADT/STLExtras.h"
#include "specs/placement.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

llvm::ArrayRef<specs::MeshSpec> Meshes(Evaluator& ev) {
  return ev.options().specs == nullptr ? llvm::ArrayRef<specs::MeshSpec>()
                                       : llvm::ArrayRef<specs::MeshSpec>(ev.options().specs->meshes);
}

bool SameAxes(const specs::MeshSpec& spec, const mesh::Mesh& mesh) {
  return spec.axes.size() == mesh.axes.size() &&
         llvm::all_of(spec.axes, [&](const specs::MeshAxis& axis) { return mesh.FindAxis(axis.name).has_value(); });
}

MeshObj* Make(Evaluator& ev, const specs::MeshSpec& spec, const mesh::Mesh* like) {
  std::optional<mesh::Mesh> mesh = specs::MakeMesh(spec, like, ev.diags());
  if (mesh && (mesh->size() > kMaxDevices || mesh->maximal)) {
    ev.diags().Error(diag::Kind::MeshShape, spec.span,
                     "a mesh of the native language has at most " + std::to_string(kMaxDevices) +
                         " devices, and axes; this is " + mesh::Describe(*mesh));
    mesh.reset();
  }
  if (!mesh) {
    ev.MarkFailed();
    return nullptr;
  }
  if (!ev.flat()) {
    mesh->name = "mesh";
  }
  auto* obj = ev.heap().New<MeshObj>();
  obj->mesh = std::move(*mesh);
  ev.said_meshes.push_back(obj);
  return obj;
}

MeshObj* MeshOf(Evaluator& ev, const specs::Placement& placement) {
  if (placement.mesh.empty() || Meshes(ev).size() == 1) {
    return ev.entry_specs->mesh;
  }
  for (const specs::MeshSpec& spec : Meshes(ev)) {
    if (spec.name == placement.mesh) {
      auto made = llvm::find_if(ev.said_meshes, [&](const MeshObj* obj) { return SameAxes(spec, obj->mesh); });
      return made != ev.said_meshes.end() ? *made : Make(ev, spec, nullptr);
    }
  }
  return ev.entry_specs->mesh;
}

}  // namespace

MeshObj* StandIn(Evaluator& ev, const mesh::Mesh& made) {
  for (const specs::MeshSpec& spec : Meshes(ev)) {
    if (SameAxes(spec, made)) {
      return Make(ev, spec, &made);
    }
  }
  return nullptr;
}

MeshObj* EntryMesh(Evaluator& ev, MeshObj* of_file) {
  if (Meshes(ev).empty() || llvm::is_contained(ev.said_meshes, of_file)) {
    return of_file;
  }
  const specs::MeshSpec& first = Meshes(ev).front();
  auto made = llvm::find_if(ev.said_meshes, [&](const MeshObj* obj) { return SameAxes(first, obj->mesh); });
  return made != ev.said_meshes.end() ? *made : Make(ev, first, nullptr);
}

Value SaidSharding(Evaluator& ev, const specs::Entry& entry, const ir::Type& type, const std::string& what) {
  EntrySpecs& said = *ev.entry_specs;
  specs::Subject subject{what, type.dims, /*as_in_jax=*/!ev.flat()};
  if (!specs::CheckType(entry, type, subject, ev.diags())) {
    said.failed = true;
    return Value::None();
  }
  if (entry.placement.undecided) {
    return Value::None();
  }
  MeshObj* mesh = MeshOf(ev, entry.placement);
  if (mesh == nullptr) {
    ev.diags()
        .Error(diag::Kind::NoMesh, entry.placement.span, "the program has no mesh for this spec")
        .Help("say one: --mesh=data=4,model=2");
    said.failed = true;
    return Value::None();
  }
  auto made = specs::MakeSharding(entry.placement, mesh->mesh, {}, subject, ev.diags());
  if (!made) {
    said.failed = true;
    return Value::None();
  }
  Value sharding = ShardingValue(ev, mesh, *made);
  // A spec of the language has whole axes only, and no priorities.
  auto& obj = sharding.as<ShardingObj>();
  auto again = mesh::MakeSharding(mesh->mesh, {}, obj.spec, type.rank());
  const auto* plain = std::get_if<mesh::Sharding>(&again);
  obj.exact = plain == nullptr || !(*plain == *made);
  return sharding;
}

bool FinishSpecs(Evaluator& ev, specs::Matcher& matcher) {
  bool good = matcher.Finish(ev.diags()) && !ev.entry_specs->failed;
  if (!good) {
    ev.MarkFailed();
  }
  return good;
}

}  // namespace spmdc::text::native
