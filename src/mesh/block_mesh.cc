// Digits of block numbers, each kept once; what they leave open counts the devices that have the same of all.
#include "mesh/block_mesh.h"

#include <map>

#include "llvm/ADT/STLExtras.h"

namespace spmdc::mesh {
namespace {

// A digit of the block number of every device.
struct Digit {
  int64_t size = 1;
  std::vector<int64_t> of_device;
};

int64_t SmallestPrime(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) {
      return p;
    }
  }
  return n;
}

// The digits found so far.
class Axes {
 public:
  explicit Axes(int64_t num_devices) : num_devices_(num_devices) {}

  // The block numbers along one dim of `tiles` tiles, digit by digit, the major one first.
  void AddDim(llvm::ArrayRef<int64_t> blocks, int64_t tiles) {
    for (int64_t minor = tiles; minor > 1;) {
      int64_t size = SmallestPrime(minor);
      minor /= size;
      Digit digit = {size, {}};
      for (int64_t block : blocks) {
        digit.of_device.push_back(block / minor % size);
      }
      bool known = llvm::any_of(digits_, [&](const Digit& other) { return other.of_device == digit.of_device; });
      if (!known) {
        digits_.push_back(std::move(digit));
      }
    }
  }

  std::optional<Mesh> ToMesh() const {
    int64_t places = 1;
    for (const Digit& digit : digits_) {
      if (num_devices_ % (places * digit.size) != 0) {
        return std::nullopt;
      }
      places *= digit.size;
    }
    std::map<int64_t, std::vector<int64_t>> devices_at;
    for (int64_t device = 0; device < num_devices_; ++device) {
      int64_t place = 0;
      for (const Digit& digit : digits_) {
        place = place * digit.size + digit.of_device[static_cast<size_t>(device)];
      }
      devices_at[place].push_back(device);
    }
    auto copies = static_cast<size_t>(num_devices_ / places);
    Mesh mesh;
    mesh.name = "mesh";
    for (const auto& [place, devices] : devices_at) {
      if (devices.size() != copies) {
        return std::nullopt;
      }
      mesh.device_ids.append(devices.begin(), devices.end());
    }
    for (const Digit& digit : digits_) {
      mesh.axes.push_back({"axis_" + std::to_string(mesh.axes.size()), digit.size});
    }
    if (copies > 1) {
      mesh.axes.push_back({"axis_" + std::to_string(mesh.axes.size()), static_cast<int64_t>(copies)});
    }
    return mesh;
  }

 private:
  int64_t num_devices_;
  std::vector<Digit> digits_;
};

}  // namespace

std::optional<Mesh> MeshOfBlocks(llvm::ArrayRef<TileOrder> orders, int64_t num_devices) {
  Axes axes(num_devices);
  for (const TileOrder& order : orders) {
    int64_t minor = num_devices;  // devices in a row that have the same block along the dims so far
    for (int64_t tiles : order.data_tiles) {
      minor /= tiles;
      std::vector<int64_t> blocks(order.devices.size());
      for (size_t i = 0; i < order.devices.size(); ++i) {
        blocks[static_cast<size_t>(order.devices[i])] = static_cast<int64_t>(i) / minor % tiles;
      }
      axes.AddDim(blocks, tiles);
    }
  }
  return axes.ToMesh();
}

}  // namespace spmdc::mesh
