// The writer of HLO's sharding texts.
//
// Dims' axes in order, then the manual, the unreduced and all other axes as trailing tile dims, each group in mesh order,
// so that replica groups list their devices ascending, as XLA's canonical form does.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"
#include "mesh/hlo_sharding.h"

namespace spmdc::mesh {
namespace {

// Tile counts and the order of the positions along them.
struct Tiles {
  llvm::SmallVector<int64_t, 6> counts;
  AxisList digits;
  llvm::SmallVector<const char*, 3> subgroups;
  int64_t replicas = 1;

  void AddSubgroup(const char* name, llvm::ArrayRef<AxisRef> set) {
    if (Product(set) > 1) {
      counts.push_back(Product(set));
      Append(digits, set);
      subgroups.push_back(name);
    }
  }
};

Tiles TilesOf(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<AxisRef> manual) {
  Tiles tiles;
  for (const DimSharding& dim : sharding.dims) {
    tiles.counts.push_back(ShardCount(dim));
    Append(tiles.digits, ToDigits(mesh, dim.axes));
  }
  tiles.AddSubgroup("manual", AsSet(ToDigits(mesh, manual)));
  tiles.AddSubgroup("unreduced", AsSet(ToDigits(mesh, sharding.unreduced)));
  AxisList rest = OtherDigits(mesh.size(), tiles.digits);
  tiles.replicas = Product(rest);
  tiles.AddSubgroup("replicated", rest);
  return tiles;
}

// The devices of a permuted mesh in tile order, each replica group ascending.
llvm::SmallVector<int64_t, 0> Devices(const Mesh& mesh, const Tiles& tiles) {
  llvm::SmallVector<int64_t, 0> devices;
  int64_t total = mesh.size();
  for (int64_t i = 0; i < total; ++i) {
    devices.push_back(mesh.DeviceAt(NumberAt(total, tiles.digits, i)));
  }
  auto group = static_cast<size_t>(tiles.replicas);
  for (size_t at = 0; group > 1 && at < devices.size(); at += group) {
    std::sort(devices.begin() + at, devices.begin() + at + group);
  }
  return devices;
}

template <typename Range>
std::string Joined(const Range& values, const char* comma) {
  std::string text;
  for (const auto& value : values) {
    text += text.empty() ? "" : comma;
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
      text += std::to_string(value);
    } else {
      text += value;
    }
  }
  return text;
}

}  // namespace

namespace {

std::string TiledText(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<AxisRef> manual, bool listed) {
  if (mesh.maximal) {
    return "{maximal device=" + std::to_string(mesh.DeviceAt(0)) + "}";
  }
  Tiles tiles = TilesOf(mesh, sharding, manual);
  // Without tiles of data, one kind of subgroup alone is a name.
  int64_t data = 1;
  for (const DimSharding& dim : sharding.dims) {
    data *= ShardCount(dim);
  }
  if (data == 1 && tiles.subgroups.size() <= 1) {
    return tiles.subgroups.empty() ? "{replicated}" : "{" + std::string(tiles.subgroups.front()) + "}";
  }
  std::string text = "{devices=[" + Joined(tiles.counts, ",") + "]";
  if (mesh.device_ids.empty() && !listed) {
    text += "<=" + IotaText(mesh.size(), tiles.digits);
  } else {
    llvm::SmallVector<int64_t, 0> devices = Devices(mesh, tiles);
    std::optional<AxisList> digits = listed ? std::nullopt : DigitsOf(devices, mesh.size());
    text += digits ? "<=" + IotaText(mesh.size(), *digits) : Joined(devices, ",");
  }
  if (tiles.subgroups.size() == 1 && tiles.replicas > 1) {
    text += " last_tile_dim_replicate";
  } else if (!tiles.subgroups.empty()) {
    text += " last_tile_dims={" + Joined(tiles.subgroups, ", ") + "}";
  }
  return text + "}";
}

}  // namespace

std::string ToHlo(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<AxisRef> manual) {
  return TiledText(mesh, sharding, manual, /*listed=*/false);
}

std::string ToHloList(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<AxisRef> manual) {
  return TiledText(mesh, sharding, manual, /*listed=*/true);
}

std::string ToHloMesh(const Mesh& mesh) {
  std::string text = "mesh[";
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    text += (i == 0 ? "'" : ",'") + mesh.axes[i].name + "'=" + std::to_string(mesh.axes[i].size);
  }
  text += "]";
  if (!mesh.device_ids.empty()) {
    std::optional<AxisList> digits = DigitsOf(mesh.device_ids, mesh.size());
    text += ", device_ids=(" + (digits ? IotaText(mesh.size(), *digits) : Joined(mesh.device_ids, ",")) + ")";
  }
  return text;
}

std::string ToHloAxes(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes) {
  std::string text;
  for (const AxisRef& ref : axes) {
    text += (text.empty() ? "'" : ",'") + mesh.axes[static_cast<size_t>(ref.axis)].name + "'";
    if (!IsWhole(mesh, ref)) {
      text += ":(" + std::to_string(ref.pre) + ")" + std::to_string(ref.size);
    }
  }
  return text;
}

std::string ToHloNamed(const Mesh& mesh, const Sharding& sharding) {
  if (mesh.maximal) {
    return "{maximal_mesh[device_id=" + std::to_string(mesh.DeviceAt(0)) + "]}";
  }
  std::string dims;
  for (const DimSharding& dim : sharding.dims) {
    std::string axes = ToHloAxes(mesh, dim.axes);
    dims += (dims.empty() ? "{" : ", {") + axes + (dim.open ? axes.empty() ? "?" : ", ?" : "") + "}";
  }
  std::string text = "{" + ToHloMesh(mesh) + ", [" + dims + "]";
  if (!sharding.replicated.empty()) {
    text += ", replicated={" + ToHloAxes(mesh, sharding.replicated) + "}";
  }
  if (!sharding.unreduced.empty()) {
    text += ", unreduced=" + (sharding.unreduced_kind == Monoid::Sum ? "" : Name(sharding.unreduced_kind).str()) + "{" +
            ToHloAxes(mesh, sharding.unreduced) + "}";
  }
  if (!sharding.varying.empty()) {
    text += ", manual={" + ToHloAxes(mesh, sharding.varying) + "}";
  }
  return text + "}";
}

}  // namespace spmdc::mesh
