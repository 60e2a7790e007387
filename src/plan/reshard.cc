// Finding and remembering paths; moves on one mesh are searched for, other meshes are reached through whole copies.
#include "plan/reshard.h"

#include "llvm/ADT/STLExtras.h"
#include "op/rule.h"
#include "plan/search.h"

namespace spmdc::plan {

mesh::Sharding Placement(const mesh::Sharding& sharding) {
  mesh::Sharding placement = mesh::Replicated(sharding.mesh, sharding.dims.size());
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    placement.dims[d].axes = sharding.dims[d].axes;
  }
  placement.unreduced = sharding.unreduced;
  placement.unreduced_kind = sharding.unreduced.empty() ? mesh::Monoid::Sum : sharding.unreduced_kind;
  return mesh::DropUnits(placement);
}

namespace {

// Where no atoms are common (meshes of the same devices in another order, sub-axes that do not nest): one permute where the
// meshes differ and the blocks are the same, else through copies.
bool Relocate(ir::Tables& tables, Resharder& resharder, const mesh::Sharding& from, const mesh::Sharding& to,
              llvm::ArrayRef<int64_t> dims, int64_t element_bytes, Path& path) {
  auto counts_equal = [&] {
    for (size_t d = 0; d < dims.size(); ++d) {
      if (mesh::ShardCount(from.dims[d]) != mesh::ShardCount(to.dims[d])) {
        return false;
      }
    }
    return from.unreduced.empty() && to.unreduced.empty();
  };
  auto id = [&](const mesh::Sharding& s) { return tables.shardings.Intern(s); };
  auto whole = [&](mesh::MeshId mesh) { return mesh::Replicated(mesh, dims.size()); };
  auto through = [&](const mesh::Sharding& between_from, const mesh::Sharding& between_to) {
    const Path* out = resharder.Find(id(from), id(between_from), dims, element_bytes);
    const Path* in = resharder.Find(id(between_to), id(to), dims, element_bytes);
    for (const Path* part : {out, in}) {
      if (part == nullptr) {
        return false;
      }
      path.steps.append(part->steps.begin(), part->steps.end());
      path.wire_bytes += part->wire_bytes;
      path.collectives += part->collectives;
    }
    return true;
  };
  // A mesh without axes stands for any devices: what is whole there is whole on every mesh.
  auto anywhere = [&](mesh::MeshId mesh) { return tables.meshes[mesh].axes.empty() && !tables.meshes[mesh].maximal; };
  if (from.mesh != to.mesh && anywhere(from.mesh)) {
    return through(from, whole(to.mesh));
  }
  if (from.mesh != to.mesh && anywhere(to.mesh)) {
    return through(whole(from.mesh), to);
  }
  if (tables.meshes[from.mesh].size() != tables.meshes[to.mesh].size()) {
    return false;
  }
  if (from.is_fully_replicated() && to.is_fully_replicated()) {
    return true;
  }
  if (from.mesh != to.mesh && counts_equal()) {
    int64_t bytes = element_bytes * tensor::NumElements(mesh::LocalDims(from, dims));
    path.steps.push_back({{ops::Move::Permute, 0, 0, {}}, to, bytes});
    path.wire_bytes = bytes;
    path.collectives = 1;
    return true;
  }
  return through(whole(from.mesh), whole(to.mesh));
}

}  // namespace

const Path* Resharder::Find(mesh::ShardingId from_id, mesh::ShardingId to_id, llvm::ArrayRef<int64_t> dims,
                            int64_t element_bytes) {
  static const Path kStay;
  if (from_id == to_id) {
    return &kStay;
  }
  llvm::SmallVector<int32_t, 16> key{from_id.index, to_id.index};
  op::AppendKey(element_bytes, key);
  for (int64_t dim : dims) {
    op::AppendKey(dim, key);
  }
  auto [number, is_new] = keys_.Insert(key);
  if (is_new) {
    paths_.resize(keys_.size());
    auto path = std::make_unique<Path>();
    const mesh::Sharding& from = tables_.shardings[from_id];
    const mesh::Sharding& to = tables_.shardings[to_id];
    bool relocates = from.mesh != to.mesh || !HaveCommonAtoms(tables_.meshes[from.mesh], from, to);
    bool found = relocates ? Relocate(tables_, *this, from, to, dims, element_bytes, *path)
                           : FindPath(tables_.meshes[from.mesh], from, to, dims, element_bytes, *path);
    paths_[static_cast<size_t>(number)] = found ? std::move(path) : nullptr;
  }
  return paths_[static_cast<size_t>(number)].get();
}

int64_t Resharder::LeastBytes(mesh::ShardingId from_id, mesh::ShardingId to_id, llvm::ArrayRef<int64_t> dims,
                              int64_t element_bytes) const {
  const mesh::Sharding& from = tables_.shardings[from_id];
  const mesh::Sharding& to = tables_.shardings[to_id];
  return from_id == to_id || from.mesh != to.mesh ? 0 : plan::LeastBytes(from, to, dims, element_bytes);
}

}  // namespace spmdc::plan
