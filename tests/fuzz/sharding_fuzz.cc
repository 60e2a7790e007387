// Fuzzing sharding texts: nothing read from bytes may crash, and what is read and printed reads back as the same blocks.
#include <cstdint>
#include <cstdlib>

#include "mesh/hlo_sharding.h"
#include "mesh/sdy_sharding.h"
#include "tensor/literal.h"

namespace spmdc::mesh {
namespace {

// Larger meshes take time by printing device lists, not by being wrong.
constexpr int64_t kMaxDevices = 4096;

void Hlo(llvm::StringRef text) {
  llvm::SmallVector<TileSharding, 4> leaves;
  bool is_tuple = false;
  size_t end = 0;
  if (ParseHloSharding(text, leaves, is_tuple, end)) {
    return;
  }
  for (const TileSharding& leaf : leaves) {
    if (leaf.kind != TileSharding::Kind::Tiled || tensor::NumElements(leaf.tiles) > kMaxDevices) {
      continue;
    }
    Mesh mesh = MeshOf(leaf, tensor::NumElements(leaf.tiles));
    size_t rank = leaf.tiles.size() - leaf.subgroups.size();
    std::optional<Sharding> named = ToNamed(leaf, mesh, MeshId{0}, rank);
    if (!named || !leaf.subgroups.empty()) {
      continue;
    }
    std::string printed = ToHlo(mesh, *named);
    llvm::SmallVector<TileSharding, 4> again;
    if (ParseHloSharding(printed, again, is_tuple, end) || again.size() != 1) {
      std::abort();
    }
  }
}

void Sdy(llvm::StringRef text) {
  Mesh mesh;
  size_t end = 0;
  if (!ParseSdyMesh(text, mesh, end)) {
    Mesh again;
    std::string printed = ToSdyMesh(mesh);
    if (ParseSdyMesh(printed, again, end) || ToSdyMesh(again) != printed) {
      std::abort();
    }
  }
}

}  // namespace
}  // namespace spmdc::mesh

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  spmdc::mesh::Hlo(text);
  spmdc::mesh::Sdy(text);
  llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> groups;
  size_t end = 0;
  spmdc::mesh::ParseReplicaGroups(text, 8, groups, end);
  return 0;
}
