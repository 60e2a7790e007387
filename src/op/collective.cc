// Groups of collectives and the bytes they move.
#include "op/collective.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::op {

llvm::StringRef Name(CollectiveKind kind) {
  static constexpr llvm::StringRef kNames[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                                               "collective-permute"};
  return kNames[static_cast<size_t>(kind)];
}

void Groups::Visit(ir::FieldVisitor& v) {
  v.Field("mesh", mesh);
  v.Field("axes", axes);
  std::vector<tensor::Dims> copy;
  for (const auto& list : lists) {
    copy.emplace_back(list.begin(), list.end());
  }
  v.Field("lists", copy);
  lists.clear();
  for (const tensor::Dims& list : copy) {
    lists.emplace_back(list.begin(), list.end());
  }
}

int64_t GroupSize(const ir::Tables&, const Groups& groups, int64_t) {
  if (groups.is_axes()) {
    return mesh::Product(groups.axes);
  }
  size_t most = 0;
  for (const auto& list : groups.lists) {
    most = std::max(most, list.size());
  }
  return static_cast<int64_t>(most);
}

int64_t GroupCount(const ir::Tables&, const Groups& groups, int64_t num_devices) {
  return groups.is_axes() ? num_devices / mesh::Product(groups.axes) : static_cast<int64_t>(groups.lists.size());
}

llvm::SmallVector<int64_t, 8> GroupOf(const ir::Tables& tables, const Groups& groups, int64_t, int64_t device) {
  if (!groups.is_axes()) {
    for (const auto& list : groups.lists) {
      if (llvm::is_contained(list, device)) {
        return list;
      }
    }
    return {};
  }
  if (!groups.mesh.valid()) {
    return {device};
  }
  const mesh::Mesh& mesh = tables.meshes[groups.mesh];
  int64_t position = device;
  if (!mesh.device_ids.empty()) {
    position = llvm::find(mesh.device_ids, device) - mesh.device_ids.begin();
  }
  // The position with all of the group's digits at zero, then every combination of them.
  llvm::SmallVector<int64_t, 8> members = {position};
  for (const mesh::AxisRef& ref : groups.axes) {
    int64_t stride = mesh::PositionStride(mesh, ref);
    int64_t base = mesh::Coordinate(mesh, ref, position);
    llvm::SmallVector<int64_t, 8> next;
    for (int64_t member : members) {
      for (int64_t k = 0; k < ref.size; ++k) {
        next.push_back(member + (k - base) * stride);
      }
    }
    members = std::move(next);
  }
  for (int64_t& member : members) {
    member = mesh.DeviceAt(member);
  }
  return members;
}

double WireBytes(CollectiveKind kind, int64_t group_size, int64_t operand_bytes, int64_t result_bytes) {
  auto n = static_cast<double>(group_size < 1 ? 1 : group_size);
  auto operand = static_cast<double>(operand_bytes), result = static_cast<double>(result_bytes);
  switch (kind) {
    case CollectiveKind::AllReduce:
      return 2 * (n - 1) * operand / n;
    case CollectiveKind::AllGather:
      return (n - 1) * result / n;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllToAll:
      return (n - 1) * operand / n;
    case CollectiveKind::Permute:
      return operand;
  }
  return 0;
}

}  // namespace spmdc::op
