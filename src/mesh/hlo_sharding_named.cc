// From HLO's tiles to axes: the meshes that can express tile lists, and the lists as axes of a mesh.
//
// A tile list orders all devices. Where that order is one of digits (an iota, or a list that is one), cutting the digits at
// the tile dims gives the axes of each dim.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "mesh/block_mesh.h"
#include "mesh/digits.h"
#include "mesh/hlo_sharding.h"
#include "support/check.h"

namespace spmdc::mesh {
namespace {

using Kind = TileSharding::Kind;
using Subgroup = TileSharding::Subgroup;

size_t DataDims(const TileSharding& leaf) { return leaf.tiles.size() - leaf.subgroups.size(); }

int64_t TileCount(const TileSharding& leaf) {
  int64_t count = 1;
  for (int64_t tile : leaf.tiles) {
    count *= tile;
  }
  return count;
}

// The leaf's devices in the order of its tiles. O(devices).
llvm::SmallVector<int64_t, 0> DevicesInOrder(const TileSharding& leaf) {
  if (!leaf.devices.empty()) {
    return leaf.devices;
  }
  llvm::SmallVector<int64_t, 0> devices;
  int64_t total = TileCount(leaf);
  AxisList digits = IotaDigits(leaf.reshape_dims, leaf.transpose);
  for (int64_t i = 0; i < total; ++i) {
    devices.push_back(NumberAt(total, digits, i));
  }
  return devices;
}

// Within each data tile the order of the devices along subgroups says nothing but who belongs together; sorting them
// lets spellings that mean the same look the same. Each run of `inner` numbers is a unit that is already sorted.
void SortWithin(llvm::MutableArrayRef<int64_t> tile, llvm::ArrayRef<int64_t> subgroup_sizes) {
  if (subgroup_sizes.empty()) {
    return;
  }
  size_t inner = tile.size() / static_cast<size_t>(subgroup_sizes.front());
  llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> parts;
  for (size_t at = 0; at < tile.size(); at += inner) {
    SortWithin(tile.slice(at, inner), subgroup_sizes.drop_front());
    parts.emplace_back(tile.begin() + at, tile.begin() + at + inner);
  }
  llvm::sort(parts);
  size_t at = 0;
  for (const auto& part : parts) {
    std::copy(part.begin(), part.end(), tile.begin() + at);
    at += inner;
  }
}

// Position numbers in tile order on a mesh with these device ids (none: devices are positions), subgroups sorted.
llvm::SmallVector<int64_t, 0> PositionsInOrder(const TileSharding& leaf, llvm::ArrayRef<int64_t> device_ids) {
  llvm::SmallVector<int64_t, 0> positions = DevicesInOrder(leaf);
  if (!device_ids.empty()) {
    llvm::SmallVector<int64_t, 0> position_of(device_ids.size());
    for (size_t i = 0; i < device_ids.size(); ++i) {
      position_of[static_cast<size_t>(device_ids[i])] = static_cast<int64_t>(i);
    }
    for (int64_t& number : positions) {
      number = position_of[static_cast<size_t>(number)];
    }
  }
  llvm::ArrayRef<int64_t> sizes = llvm::ArrayRef<int64_t>(leaf.tiles).drop_front(DataDims(leaf));
  size_t group = 1;
  for (int64_t size : sizes) {
    group *= static_cast<size_t>(size);
  }
  for (size_t at = 0; group > 1 && at < positions.size(); at += group) {
    SortWithin(llvm::MutableArrayRef<int64_t>(positions).slice(at, group), sizes);
  }
  return positions;
}

// The digits of each tile dim of a tiled leaf; nothing if they do not nest in the order of the positions.
std::optional<llvm::SmallVector<AxisList, 4>> TileDigits(const TileSharding& leaf, llvm::ArrayRef<int64_t> device_ids) {
  if (leaf.devices.empty() && device_ids.empty()) {
    return CutDigits(IotaDigits(leaf.reshape_dims, leaf.transpose), leaf.tiles);
  }
  std::optional<AxisList> digits = DigitsOf(PositionsInOrder(leaf, device_ids), TileCount(leaf));
  return digits ? CutDigits(*digits, leaf.tiles) : std::nullopt;
}

// Adds the boundaries of uses to a sorted set; false if they do not form one chain of divisors.
bool AddBoundaries(llvm::ArrayRef<AxisRef> digits, llvm::SmallVectorImpl<int64_t>& bounds) {
  for (AxisRef digit : digits) {
    for (int64_t bound : {digit.pre, digit.next_pre()}) {
      auto* at = llvm::lower_bound(bounds, bound);
      if (at == bounds.end() || *at != bound) {
        bounds.insert(at, bound);
      }
    }
  }
  for (size_t i = 1; i < bounds.size(); ++i) {
    if (bounds[i] % bounds[i - 1] != 0) {
      return false;
    }
  }
  return true;
}

Mesh MeshOfBoundaries(llvm::ArrayRef<int64_t> bounds) {
  Mesh mesh;
  mesh.name = "mesh";
  for (size_t i = 1; i < bounds.size(); ++i) {
    mesh.axes.push_back({"axis_" + std::to_string(i - 1), bounds[i] / bounds[i - 1]});
  }
  if (mesh.axes.empty()) {
    mesh.axes.push_back({"axis_0", 1});
  }
  return mesh;
}

// What a leaf asks of a mesh in the order of the device numbers; false if it cannot be had.
bool AddLeafBoundaries(const TileSharding& leaf, int64_t num_devices, llvm::SmallVectorImpl<int64_t>& bounds) {
  switch (leaf.kind) {
    case Kind::Replicated:
    case Kind::Manual:
    case Kind::Unknown:
    case Kind::Unreduced:
    case Kind::Maximal:  // on no axes: it has a mesh of its own in every case
      return true;
    case Kind::Tiled: {
      if (TileCount(leaf) != num_devices) {
        return false;
      }
      auto digits = TileDigits(leaf, {});
      return digits && llvm::all_of(*digits, [&](const AxisList& dim) { return AddBoundaries(dim, bounds); });
    }
    case Kind::Named: {
      const auto& [mesh, sharding] = *leaf.named;
      if (mesh.size() != num_devices || !mesh.device_ids.empty()) {
        return false;
      }
      bool fits = true;
      for (size_t i = 0; i < mesh.axes.size(); ++i) {
        fits = fits && AddBoundaries(ToDigits(mesh, Whole(mesh, static_cast<int32_t>(i))), bounds);
      }
      for (AxisRef ref : UsedAxes(sharding)) {
        fits = fits && AddBoundaries(ToDigits(mesh, ref), bounds);
      }
      return fits;
    }
  }
  return false;
}

std::optional<Sharding> TiledToNamed(const TileSharding& leaf, const Mesh& mesh, MeshId id, size_t rank) {
  if (DataDims(leaf) != rank || TileCount(leaf) != mesh.size() || mesh.maximal) {
    return std::nullopt;
  }
  auto digits = TileDigits(leaf, mesh.device_ids);
  if (!digits) {
    return std::nullopt;
  }
  Sharding sharding = Replicated(id, rank);
  for (size_t i = 0; i < digits->size(); ++i) {
    std::optional<AxisList> axes = FromDigits(mesh, (*digits)[i]);
    if (!axes) {
      return std::nullopt;
    }
    if (i < rank) {
      sharding.dims[i].axes = *axes;
      continue;
    }
    Subgroup group = leaf.subgroups[i - rank];
    if (group != Subgroup::Replicated) {
      AxisList& set = group == Subgroup::Manual ? sharding.varying : sharding.unreduced;
      set.append(axes->begin(), axes->end());
      set = AsSet(set);
    }
  }
  return sharding;
}

// Axes of one mesh as axes of another over the same devices.
std::optional<AxisList> Moved(const Mesh& from, llvm::ArrayRef<AxisRef> axes, const Mesh& to, bool set) {
  std::optional<AxisList> moved = FromDigits(to, ToDigits(from, axes));
  return moved && set ? AsSet(*moved) : moved;
}

std::optional<Sharding> NamedToNamed(const TileSharding& leaf, const Mesh& mesh, MeshId id, size_t rank) {
  const auto& [from, sharding] = *leaf.named;
  if (sharding.dims.size() != rank) {
    return std::nullopt;
  }
  Sharding moved = sharding;
  moved.mesh = id;
  if (SameDevices(from, mesh)) {
    return moved;
  }
  if (from.size() != mesh.size() || from.device_ids != mesh.device_ids) {
    return std::nullopt;
  }
  for (DimSharding& dim : moved.dims) {
    std::optional<AxisList> axes = Moved(from, dim.axes, mesh, false);
    if (!axes) {
      return std::nullopt;
    }
    dim.axes = *axes;
  }
  for (AxisList* list : {&moved.replicated, &moved.unreduced, &moved.varying}) {
    std::optional<AxisList> axes = Moved(from, *list, mesh, true);
    if (!axes) {
      return std::nullopt;
    }
    *list = *axes;
  }
  return moved;
}

bool Serves(const Mesh& mesh, llvm::ArrayRef<const TileSharding*> leaves, int64_t num_devices) {
  return mesh.size() == num_devices && llvm::all_of(leaves, [&mesh](const TileSharding* leaf) {
           if (leaf->kind == Kind::Maximal) {
             return true;
           }
           size_t rank = leaf->kind == Kind::Named ? leaf->named->second.dims.size() : DataDims(*leaf);
           return ToNamed(*leaf, mesh, MeshId{}, leaf->kind == Kind::Tiled || leaf->kind == Kind::Named ? rank : 0)
               .has_value();
         });
}

// The mesh that the blocks of all tiled leaves make together, if it serves all leaves.
std::optional<Mesh> JoinedMesh(llvm::ArrayRef<const TileSharding*> leaves, int64_t num_devices) {
  std::vector<llvm::SmallVector<int64_t, 0>> devices;
  devices.reserve(leaves.size());
  llvm::SmallVector<TileOrder, 8> orders;
  for (const TileSharding* leaf : leaves) {
    if (leaf->kind == Kind::Tiled && TileCount(*leaf) == num_devices) {
      devices.push_back(DevicesInOrder(*leaf));
      orders.push_back({devices.back(), llvm::ArrayRef<int64_t>(leaf->tiles).take_front(DataDims(*leaf))});
    }
  }
  std::optional<Mesh> mesh = MeshOfBlocks(orders, num_devices);
  return mesh && Serves(*mesh, leaves, num_devices) ? mesh : std::nullopt;
}

}  // namespace

std::optional<Mesh> CommonMesh(llvm::ArrayRef<const TileSharding*> leaves, int64_t num_devices) {
  SPMDC_CHECK(num_devices >= 1, "a program has a device");
  llvm::SmallVector<int64_t, 8> bounds = {1};
  AddBoundaries({AxisRef{0, 1, num_devices}}, bounds);
  bool fits =
      llvm::all_of(leaves, [&](const TileSharding* leaf) { return AddLeafBoundaries(*leaf, num_devices, bounds); });
  if (fits) {
    return MeshOfBoundaries(bounds);
  }
  // One order of the devices may still serve all: that of the first leaf that needs its own.
  for (const TileSharding* leaf : leaves) {
    llvm::SmallVector<int64_t, 8> alone = {1};
    if (AddLeafBoundaries(*leaf, num_devices, alone)) {
      continue;
    }
    Mesh mesh = MeshOf(*leaf, num_devices);
    return Serves(mesh, leaves, num_devices) ? std::optional<Mesh>(std::move(mesh)) : JoinedMesh(leaves, num_devices);
  }
  return std::nullopt;
}

Mesh MeshOf(const TileSharding& leaf, int64_t num_devices) {
  SPMDC_CHECK(num_devices >= 1, "a program has a device");
  if (leaf.named) {
    return leaf.named->first;
  }
  if (leaf.kind == Kind::Maximal) {
    Mesh mesh;
    mesh.name = "maximal_mesh_" + std::to_string(leaf.device);
    mesh.maximal = true;
    mesh.device_ids.push_back(leaf.device);
    return mesh;
  }
  llvm::SmallVector<int64_t, 8> bounds = {1};
  if (leaf.kind != Kind::Tiled) {
    AddBoundaries({AxisRef{0, 1, num_devices}}, bounds);
    return MeshOfBoundaries(bounds);
  }
  AddBoundaries({AxisRef{0, 1, TileCount(leaf)}}, bounds);
  if (AddLeafBoundaries(leaf, TileCount(leaf), bounds)) {
    return MeshOfBoundaries(bounds);
  }
  Mesh mesh;
  mesh.name = "mesh";
  mesh.device_ids = PositionsInOrder(leaf, {});
  for (int64_t tile : leaf.tiles) {
    if (tile > 1) {
      mesh.axes.push_back({"axis_" + std::to_string(mesh.axes.size()), tile});
    }
  }
  return mesh;
}

std::optional<Sharding> ToNamed(const TileSharding& leaf, const Mesh& mesh, MeshId id, size_t rank) {
  switch (leaf.kind) {
    case Kind::Replicated:
      return Replicated(id, rank);
    case Kind::Unknown:
      return Replicated(id, rank, /*open=*/true);
    case Kind::Maximal:
      return mesh.maximal && mesh.DeviceAt(0) == leaf.device ? std::optional<Sharding>(Replicated(id, rank))
                                                             : std::nullopt;
    case Kind::Manual: {
      Sharding sharding = Replicated(id, rank);
      sharding.varying = AllAxes(mesh);
      return sharding;
    }
    case Kind::Unreduced: {
      Sharding sharding = Replicated(id, rank);
      sharding.unreduced = AllAxes(mesh);
      if (leaf.named) {
        sharding.unreduced_kind = leaf.named->second.unreduced_kind;
      }
      return sharding;
    }
    case Kind::Tiled:
      return TiledToNamed(leaf, mesh, id, rank);
    case Kind::Named:
      return NamedToNamed(leaf, mesh, id, rank);
  }
  return std::nullopt;
}

}  // namespace spmdc::mesh
