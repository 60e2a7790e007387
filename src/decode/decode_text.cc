// What was decoded, as people read it.
#include <algorithm>
#include <numeric>

#include "cost/bytes_text.h"
#include "decode/decode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mesh/hlo_sharding.h"
#include "mesh/picture.h"
#include "mesh/sdy_sharding.h"
#include "support/plural.h"

namespace spmdc::decode {

tensor::Dims Placed::Dims() const {
  if (shape) {
    return shape->dims;
  }
  tensor::Dims counts;
  for (const mesh::DimSharding& dim : sharding.dims) {
    counts.push_back(mesh::ShardCount(dim));
  }
  return counts;
}

namespace {

// Rows of a list that are told where not all are asked for.
constexpr size_t kRows = 16;
// Members of a group, and devices of a spelling that lists them.
constexpr size_t kMembers = 32;
constexpr int64_t kListed = 64;

class Writer {
 public:
  explicit Writer(bool all) : all_(all), os_(text_) {}

  std::string Write(const Decoded& decoded) {
    Rows(decoded.placed, "value", [&](const Placed& placed) { Write(placed); });
    Rows(decoded.exchanges, "collective", [&](const Exchange& exchange) { Write(exchange); });
    if (decoded.placed.empty() && decoded.exchanges.empty()) {
      os_ << "the text has no shardings and no collectives\n";
    }
    os_.flush();
    return std::move(text_);
  }

 private:
  template <typename List, typename Tell>
  void Rows(const List& list, llvm::StringRef noun, Tell tell) {
    size_t told = all_ ? list.size() : std::min(list.size(), kRows);
    for (size_t i = 0; i < told; ++i) {
      tell(list[i]);
    }
    More(list.size() - told, noun);
  }

  void More(size_t count, llvm::StringRef noun) {
    if (count > 0) {
      os_ << "  and " << count << " more " << noun << (count == 1 ? "" : "s") << " (--all tells them)\n";
    }
  }

  void Gap() {
    os_.flush();
    os_ << (text_.empty() ? "" : "\n");
  }

  void Write(const Placed& placed) {
    Gap();
    const mesh::Mesh& mesh = placed.mesh;
    const mesh::Sharding& sharding = placed.sharding;
    tensor::Dims dims = placed.Dims();
    if (!placed.what.empty()) {
      os_ << placed.what << "\n";
    }
    if (placed.shape) {
      os_ << mesh::TypeWithSharding(placed.shape->dtype, dims, &mesh, &sharding) << "\n";
    }
    if (mesh.maximal) {
      os_ << "all of it on device " << mesh.DeviceAt(0) << "\n";
    } else if (sharding.dims.size() != dims.size()) {
      os_ << "on " << mesh::Describe(mesh) << "\n";
    } else {
      os_ << (placed.shape ? "" : "the array's shape is not known: ranges count blocks\n")
          << mesh::Picture(mesh, sharding, dims);
      Notes(mesh, sharding);
      Devices(placed, dims);
    }
    Spellings(mesh, sharding);
  }

  void Notes(const mesh::Mesh& mesh, const mesh::Sharding& sharding) {
    if (!sharding.varying.empty()) {
      os_ << "manual over " << mesh::ToString(mesh, sharding.varying)
          << ": the blocks are those of a manual region, which says itself what its devices hold\n";
    }
    if (!sharding.replicated.empty()) {
      os_ << "kept whole along " << mesh::ToString(mesh, sharding.replicated) << ", whatever propagation finds\n";
    }
    if (llvm::any_of(sharding.dims, [](const mesh::DimSharding& dim) { return dim.open; })) {
      os_ << "open dims (UNCONSTRAINED, ?) may be split further by propagation\n";
    }
  }

  // One row a device, in the order of their numbers.
  void Devices(const Placed& placed, llvm::ArrayRef<int64_t> dims) {
    const mesh::Mesh& mesh = placed.mesh;
    int64_t size = mesh.size();
    auto told = static_cast<int64_t>(all_ ? static_cast<size_t>(size) : std::min<size_t>(size, kRows));
    std::vector<int64_t> position_of(mesh.device_ids.size());
    for (size_t i = 0; i < position_of.size(); ++i) {
      position_of[static_cast<size_t>(mesh.device_ids[i])] = static_cast<int64_t>(i);
    }
    for (int64_t device = 0; device < told; ++device) {
      int64_t position = position_of.empty() ? device : position_of[static_cast<size_t>(device)];
      os_ << "device " << device << ": [";
      llvm::interleaveComma(mesh::ShardRange(mesh, placed.sharding, dims, position), os_, [&](const auto& range) {
        if (range.first == range.second) {
          os_ << "nothing";
        } else {
          os_ << range.first << ":" << range.second;
        }
      });
      os_ << "]";
      for (int32_t axis = 0; axis < static_cast<int32_t>(mesh.axes.size()); ++axis) {
        os_ << (axis == 0 ? "  " : ", ") << mesh.axes[static_cast<size_t>(axis)].name << "="
            << mesh::Coordinate(mesh, mesh::Whole(mesh, axis), position);
      }
      os_ << "\n";
    }
    More(static_cast<size_t>(size - told), "device");
  }

  void Spellings(const mesh::Mesh& mesh, const mesh::Sharding& sharding) {
    os_ << "the same as\n";
    os_ << "  HLO          " << mesh::ToHlo(mesh, sharding, sharding.varying) << "\n";
    if (all_ || mesh.size() <= kListed) {
      os_ << "  HLO, listed  " << mesh::ToHloList(mesh, sharding, sharding.varying) << "\n";
    }
    os_ << "  HLO, named   " << mesh::ToHloNamed(mesh, sharding) << "\n";
    os_ << "  Shardy       #sdy.sharding" << mesh::ToShortSdy(mesh, sharding) << ", sdy.mesh @" << mesh.name << " = "
        << mesh::ToSdyMesh(mesh) << "\n";
    if (!mesh.maximal) {
      os_ << "  JAX          " << mesh::ToSpec(mesh, sharding) << "\n";
    }
  }

  void Write(const Exchange& exchange) {
    Gap();
    if (!exchange.what.empty()) {
      os_ << exchange.what << "\n";
    }
    if (exchange.traffic) {
      const Traffic& traffic = *exchange.traffic;
      os_ << "  of " << traffic.operands << " on each device to " << traffic.results;
      if (traffic.sent) {
        os_ << "; one device sends " << cost::BytesText(*traffic.sent) << "\n  " << traffic.effect;
      }
      os_ << "\n";
    }
    if (exchange.is_pairs) {
      os_ << Counted(static_cast<int64_t>(exchange.pairs.size()), "pair") << "\n";
      Rows(exchange.pairs, "pair",
           [&](const auto& pair) { os_ << "  device " << pair.first << " sends to " << pair.second << "\n"; });
      return;
    }
    Groups(exchange);
  }

  void Groups(const Exchange& exchange) {
    size_t devices = 0;
    bool even = true;
    for (const Group& group : exchange.groups) {
      devices += group.size();
      even = even && group.size() == exchange.groups[0].size();
    }
    os_ << Counted(static_cast<int64_t>(exchange.groups.size()), "group")
        << (even && !exchange.groups.empty() ? " of " + std::to_string(exchange.groups[0].size()) : std::string())
        << ", " << Counted(static_cast<int64_t>(devices), "device");
    if (exchange.axes) {
      const auto& [mesh, axes] = *exchange.axes;
      os_ << ": over " << (axes.empty() ? "no axis" : mesh::ToString(mesh, axes)) << " of " << mesh::Describe(mesh);
    }
    os_ << "\n";
    size_t number = 0;
    Rows(exchange.groups, "group", [&](const Group& group) {
      os_ << "  group " << number++ << ":";
      size_t told = all_ ? group.size() : std::min(group.size(), kMembers);
      for (size_t i = 0; i < told; ++i) {
        os_ << " " << group[i];
      }
      os_ << (told < group.size() ? " ..." : "") << "\n";
    });
    if (exchange.axes) {
      const auto& [mesh, axes] = *exchange.axes;
      os_ << "the same as\n";
      if (all_ || static_cast<int64_t>(devices) <= kListed) {
        os_ << "  lists  " << mesh::ReplicaGroups(mesh, axes, mesh::GroupForm::List) << "\n";
      }
      os_ << "  iota   " << mesh::ReplicaGroups(mesh, axes, mesh::GroupForm::Iota) << "\n"
          << "  mesh   " << mesh::ReplicaGroups(mesh, axes, mesh::GroupForm::Mesh) << "\n";
    }
  }

  bool all_;
  std::string text_;
  llvm::raw_string_ostream os_;
};

}  // namespace

std::string ToText(const Decoded& decoded, bool all) { return Writer(all).Write(decoded); }

}  // namespace spmdc::decode
