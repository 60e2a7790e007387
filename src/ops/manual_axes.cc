// The axes of a manual computation, looked up in the mesh of its shardings.
#include "ops/manual_axes.h"

namespace spmdc::ops {

std::optional<ManualAxesError> SetManualAxes(const ir::Module& module, llvm::ArrayRef<std::string> names,
                                             ManualComputationAttrs& attrs) {
  attrs.mesh = module.mesh;
  for (const auto& list : {attrs.in_shardings, attrs.out_shardings}) {
    for (mesh::ShardingId id : list) {
      attrs.mesh = module.tables->shardings[id].mesh;
    }
  }
  if (!attrs.mesh.valid()) {
    return ManualAxesError{diag::Kind::NoMesh, "no sharding says which mesh the manual axes belong to"};
  }
  const mesh::Mesh& mesh = module.tables->meshes[attrs.mesh];
  mesh::AxisList axes;
  for (const std::string& name : names) {
    auto axis = mesh.FindAxis(name);
    if (!axis) {
      return ManualAxesError{diag::Kind::UnknownAxis,
                             "manual axis '" + name + "' is not in the mesh " + mesh::Describe(mesh)};
    }
    axes.push_back(mesh::Whole(mesh, *axis));
  }
  attrs.manual_axes = mesh::AsSet(axes);
  return std::nullopt;
}

}  // namespace spmdc::ops
