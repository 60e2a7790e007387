// The place of each device among those of its mesh is its number.
#include "driver/number_devices.h"

#include "driver/remesh.h"
#include "llvm/ADT/STLExtras.h"

namespace spmdc::driver {

bool NumberDevices(ir::Module& module, diag::Engine& diags) {
  const mesh::MeshTable& meshes = module.tables->meshes;
  for (size_t i = 0, n = meshes.size(); i < n; ++i) {
    mesh::MeshId id{static_cast<int32_t>(i)};
    mesh::Mesh mesh = meshes[id];
    if (mesh.maximal || mesh.size() <= 1 || mesh::Verify(mesh).empty()) {
      continue;
    }
    llvm::SmallVector<int64_t, 0> sorted = mesh.device_ids;
    llvm::sort(sorted);
    for (int64_t& device : mesh.device_ids) {
      device = llvm::lower_bound(sorted, device) - sorted.begin();
    }
    mesh::NormalizeDeviceIds(mesh);
    if (!Remesh(module, id, mesh, diags)) {
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::driver
