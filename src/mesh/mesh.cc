// Meshes: sizes, names, comparison and their one-line description.
#include "mesh/mesh.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::mesh {

llvm::StringRef Name(AxisType type) {
  switch (type) {
    case AxisType::Auto:
      return "Auto";
    case AxisType::Explicit:
      return "Explicit";
    case AxisType::Manual:
      return "Manual";
  }
  return "";
}

int64_t Mesh::size() const {
  int64_t product = 1;
  for (const Axis& axis : axes) {
    product *= axis.size;
  }
  return product;
}

std::optional<int32_t> Mesh::FindAxis(llvm::StringRef axis) const {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].name == axis) {
      return static_cast<int32_t>(i);
    }
  }
  return std::nullopt;
}

bool Mesh::has_explicit_axes() const {
  for (const Axis& axis : axes) {
    if (axis.type == AxisType::Explicit) {
      return true;
    }
  }
  return false;
}

llvm::hash_code hash_value(const Mesh& mesh) {
  llvm::hash_code hash = llvm::hash_combine(mesh.name, mesh.maximal);
  for (const Axis& axis : mesh.axes) {
    hash = llvm::hash_combine(hash, axis.name, axis.size, axis.type);
  }
  return llvm::hash_combine(hash, llvm::hash_combine_range(mesh.device_ids.begin(), mesh.device_ids.end()));
}

bool SameDevices(const Mesh& a, const Mesh& b) {
  if (a.maximal != b.maximal || a.axes.size() != b.axes.size() || a.device_ids != b.device_ids) {
    return false;
  }
  for (size_t i = 0; i < a.axes.size(); ++i) {
    if (a.axes[i].name != b.axes[i].name || a.axes[i].size != b.axes[i].size) {
      return false;
    }
  }
  return true;
}

std::string Describe(const Mesh& mesh) {
  if (mesh.maximal) {
    return "device " + std::to_string(mesh.DeviceAt(0));
  }
  std::string text;
  for (const Axis& axis : mesh.axes) {
    text += text.empty() ? "" : " x ";
    text += axis.name + "=" + std::to_string(axis.size);
  }
  return text.empty() ? "no axes" : text;
}

std::string Verify(const Mesh& mesh) {
  constexpr int64_t kMostDevices = int64_t{1} << 40;
  int64_t product = 1;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    const Axis& axis = mesh.axes[i];
    if (mesh.FindAxis(axis.name) != static_cast<int32_t>(i)) {
      return "axis '" + axis.name + "' is in the mesh twice";
    }
    if (axis.size < 1) {
      return "axis '" + axis.name + "' has size " + std::to_string(axis.size) + ", sizes are at least 1";
    }
    if (axis.size > kMostDevices / product) {
      return "the mesh has more than " + std::to_string(kMostDevices) + " devices";
    }
    product *= axis.size;
  }
  if (mesh.maximal) {
    return mesh.axes.empty() && mesh.device_ids.size() == 1 && mesh.device_ids[0] >= 0
               ? ""
               : "a mesh of one device has no axes and names the device";
  }
  if (mesh.device_ids.empty()) {
    return "";
  }
  if (static_cast<int64_t>(mesh.device_ids.size()) != product) {
    return "the mesh has " + std::to_string(product) + " devices, device_ids lists " +
           std::to_string(mesh.device_ids.size());
  }
  llvm::SmallVector<int64_t, 0> sorted = mesh.device_ids;
  llvm::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) {
      return "device_ids must list each of 0 to " + std::to_string(product - 1) + " once";
    }
  }
  return "";
}

void NormalizeDeviceIds(Mesh& mesh) {
  if (mesh.maximal) {
    return;
  }
  for (size_t i = 0; i < mesh.device_ids.size(); ++i) {
    if (mesh.device_ids[i] != static_cast<int64_t>(i)) {
      return;
    }
  }
  mesh.device_ids.clear();
}

}  // namespace spmdc::mesh
