// A mesh for tile lists of which none alone tells the order of the devices.
#pragma once

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "mesh/mesh.h"

namespace spmdc::mesh {

// The devices in the order of some tiles, and the number of tiles of each dim that holds data: leading dims of the tiles. The
// devices of one block follow each other.
struct TileOrder {
  llvm::ArrayRef<int64_t> devices;
  llvm::ArrayRef<int64_t> data_tiles;
};

// Where lists of devices hold copies, the order within these is lost, and with it the order of the mesh. What remains is the
// block that each device has along each dim; the digits of these numbers are the axes, if they fit together.
std::optional<Mesh> MeshOfBlocks(llvm::ArrayRef<TileOrder> orders, int64_t num_devices);

}  // namespace spmdc::mesh
