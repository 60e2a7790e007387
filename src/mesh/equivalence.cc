// Whether two shardings put the same block on every device.
//
// Each list is rewritten as digits of the position (digits.h). That form is unique, so that meshes that order their devices
// alike need no look at any device.
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"
#include "mesh/sharding.h"

namespace spmdc::mesh {
namespace {

bool SameCounts(const Sharding& a, const Sharding& b) {
  for (auto [dim_a, dim_b] : llvm::zip(a.dims, b.dims)) {
    if (ShardCount(dim_a) != ShardCount(dim_b)) {
      return false;
    }
  }
  int64_t terms = Product(a.unreduced);
  return terms == Product(b.unreduced) && (terms == 1 || a.unreduced_kind == b.unreduced_kind);
}

bool SameBlocksByDigits(const Mesh& mesh_a, const Sharding& a, const Mesh& mesh_b, const Sharding& b) {
  for (auto [dim_a, dim_b] : llvm::zip(a.dims, b.dims)) {
    if (ToDigits(mesh_a, dim_a.axes) != ToDigits(mesh_b, dim_b.axes)) {
      return false;
    }
  }
  return AsSet(ToDigits(mesh_a, a.unreduced)) == AsSet(ToDigits(mesh_b, b.unreduced));
}

// (device, position), by device.
llvm::SmallVector<std::pair<int64_t, int64_t>, 0> ByDevice(const Mesh& mesh) {
  llvm::SmallVector<std::pair<int64_t, int64_t>, 0> all;
  for (int64_t i = 0, n = mesh.size(); i < n; ++i) {
    all.push_back({mesh.DeviceAt(i), i});
  }
  llvm::sort(all);
  return all;
}

bool SameBlocksByDevice(const Mesh& mesh_a, const Sharding& a, const Mesh& mesh_b, const Sharding& b) {
  // Which term of a sum a device holds has no number: it counts which devices hold the same one.
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> a_to_b;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> b_to_a;
  for (auto [at_a, at_b] : llvm::zip(ByDevice(mesh_a), ByDevice(mesh_b))) {
    if (at_a.first != at_b.first) {
      return false;
    }
    int64_t block = 0;
    for (auto [dim_a, dim_b] : llvm::zip(a.dims, b.dims)) {
      int64_t number = Coordinate(mesh_a, dim_a.axes, at_a.second);
      if (number != Coordinate(mesh_b, dim_b.axes, at_b.second)) {
        return false;
      }
      block = block * ShardCount(dim_a) + number;
    }
    int64_t term_a = Coordinate(mesh_a, a.unreduced, at_a.second);
    int64_t term_b = Coordinate(mesh_b, b.unreduced, at_b.second);
    if (a_to_b.try_emplace({block, term_a}, term_b).first->second != term_b ||
        b_to_a.try_emplace({block, term_b}, term_a).first->second != term_a) {
      return false;
    }
  }
  return true;
}

bool IsAnywhere(const Mesh& mesh) { return mesh.axes.empty() && !mesh.maximal; }

}  // namespace

bool IsEquivalent(const Mesh& mesh_a, const Sharding& a, const Mesh& mesh_b, const Sharding& b) {
  if (a.dims.size() != b.dims.size()) {
    return false;
  }
  if (IsAnywhere(mesh_a) || IsAnywhere(mesh_b)) {
    return a.is_fully_replicated() && b.is_fully_replicated();
  }
  if (mesh_a.size() != mesh_b.size() || !SameCounts(a, b)) {
    return false;
  }
  if (mesh_a.device_ids == mesh_b.device_ids) {
    return SameBlocksByDigits(mesh_a, a, mesh_b, b);
  }
  return SameBlocksByDevice(mesh_a, a, mesh_b, b);
}

}  // namespace spmdc::mesh
