// Meshes: devices arranged along named axes.
//
//   mesh = make_mesh((4, 2), ('data', 'model'))      8 positions; position 3 is data=1, model=1
//
// A position is a row-major index over the axes. Device numbers (partition ids) are positions unless device_ids says
// otherwise. Nothing here costs O(devices) but device_ids of permuted meshes, which the text already spelled out.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "support/intern.h"

namespace spmdc::mesh {

enum class AxisType : uint8_t { Auto, Explicit, Manual };

// "Auto", "Explicit", "Manual".
llvm::StringRef Name(AxisType type);

struct Axis {
  std::string name;
  int64_t size = 1;
  AxisType type = AxisType::Auto;
  friend bool operator==(const Axis&, const Axis&) = default;
};

struct Mesh {
  std::string name;  // as the text calls it; "mesh" where it has none
  llvm::SmallVector<Axis, 4> axes;
  // Device number at each position; empty for 0, 1, 2, ...
  llvm::SmallVector<int64_t, 0> device_ids;
  // One device without axes (sdy's `<[], device_ids=[3]>`, HLO's `{maximal device=3}`): device_ids has that one number.
  bool maximal = false;

  int64_t size() const;  // number of positions: the product of the axis sizes
  std::optional<int32_t> FindAxis(llvm::StringRef axis) const;
  bool has_explicit_axes() const;
  int64_t DeviceAt(int64_t position) const {
    return device_ids.empty() ? position : device_ids[static_cast<size_t>(position)];
  }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};
llvm::hash_code hash_value(const Mesh& mesh);

// The same devices in the same arrangement; names of the meshes and types of the axes do not count.
bool SameDevices(const Mesh& a, const Mesh& b);
// "data=4 x model=2".
std::string Describe(const Mesh& mesh);
// Why this is no mesh: a name twice, a size below 1, too many devices (above 2^40), device_ids that are no permutation; empty
// if it is one. Readers check before anything else works with a mesh.
std::string Verify(const Mesh& mesh);
// An identity order is stored as empty, so that equal meshes compare equal.
void NormalizeDeviceIds(Mesh& mesh);

using MeshId = Id<struct MeshTag>;
using MeshTable = Interner<MeshId, Mesh>;

}  // namespace spmdc::mesh
