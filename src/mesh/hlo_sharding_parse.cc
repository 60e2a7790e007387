// The reader of HLO's sharding texts: leaves and tuples, tile lists in both spellings, named meshes.
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"
#include "mesh/text_cursor.h"

namespace spmdc::mesh {
namespace {

using Kind = TileSharding::Kind;
using Subgroup = TileSharding::Subgroup;

// The text between balanced braces, quotes respected, behind the opening one; the closing one is eaten.
bool BracedText(TextCursor& in, std::string& text) {
  llvm::StringRef here = in.rest();
  int depth = 1;
  bool quoted = false;
  for (size_t i = 0; i < here.size(); ++i) {
    if (quoted && here[i] == '\\') {
      ++i;
      continue;
    }
    if (quoted) {
      quoted = here[i] != '"';
      continue;
    }
    quoted = here[i] == '"';
    depth += here[i] == '{' ? 1 : here[i] == '}' ? -1 : 0;
    if (depth == 0) {
      text = here.take_front(i).str();
      in.Advance(i + 1);
      return true;
    }
  }
  return in.Fail("the braces of the metadata do not end");
}

bool ParseDeviceList(TextCursor& in, TileSharding& leaf, int64_t tiles) {
  size_t start = in.position();
  do {
    int64_t device = 0;
    if (!in.Int(device, 0, "a device number")) {
      return false;
    }
    leaf.devices.push_back(device);
  } while (in.Eat(","));
  if (static_cast<int64_t>(leaf.devices.size()) != tiles) {
    return in.FailAt(
        start, "tiles cover " + std::to_string(tiles) + " ids, the list has " + std::to_string(leaf.devices.size()));
  }
  llvm::BitVector seen(static_cast<unsigned>(leaf.devices.size()));
  for (int64_t device : leaf.devices) {
    if (device >= tiles || seen.test(static_cast<unsigned>(device))) {
      return in.FailAt(start, device >= tiles ? "device " + std::to_string(device) + " is none of the list's " +
                                                    std::to_string(tiles) + " devices"
                                              : "device " + std::to_string(device) + " is listed twice");
    }
    seen.set(static_cast<unsigned>(device));
  }
  return true;
}

bool ParseIotaList(TextCursor& in, TileSharding& leaf, int64_t tiles) {
  size_t start = in.position();
  if (!in.Expect("[") || !ParseIota(in, leaf.reshape_dims, leaf.transpose)) {
    return false;
  }
  int64_t ids = *CheckedProduct(leaf.reshape_dims);
  if (ids != tiles) {
    return in.FailAt(start, "tiles cover " + std::to_string(tiles) + " ids, iota has " + std::to_string(ids));
  }
  if (ids > kMostListedDevices && !CutDigits(IotaDigits(leaf.reshape_dims, leaf.transpose), leaf.tiles)) {
    return in.FailAt(start, "tiles that do not nest in their iota may have at most " +
                                std::to_string(kMostListedDevices) + " devices");
  }
  return true;
}

// `last_tile_dims={manual, replicated}` behind its name.
bool ParseSubgroups(TextCursor& in, TileSharding& leaf) {
  if (!in.Expect("=") || !in.Expect("{")) {
    return false;
  }
  while (!in.Eat("}")) {
    if (in.EatWord("manual")) {
      leaf.subgroups.push_back(Subgroup::Manual);
    } else if (in.EatWord("unreduced")) {
      leaf.subgroups.push_back(Subgroup::Unreduced);
    } else if (in.EatWord("replicated")) {
      leaf.subgroups.push_back(Subgroup::Replicated);
    } else {
      return in.Fail("expected manual, unreduced or replicated, found " + in.Found());
    }
    if (!in.Eat(",") && !in.Peek("}")) {
      return in.Expect("}");
    }
  }
  return true;
}

bool ParseTiles(TextCursor& in, TileSharding& leaf) {
  if (!in.Expect("=")) {
    return false;
  }
  size_t start = in.position();
  if (!in.Expect("[") || !in.IntList(leaf.tiles, 1, "a tile count", "]")) {
    return false;
  }
  std::optional<int64_t> tiles = CheckedProduct(leaf.tiles);
  if (leaf.tiles.empty() || !tiles) {
    return in.FailAt(start, leaf.tiles.empty() ? "the tile list has no dims" : "the tile list is too large");
  }
  return in.Eat("<=") ? ParseIotaList(in, leaf, *tiles) : ParseDeviceList(in, leaf, *tiles);
}

// `[{'x'}, {?}]` behind the opening bracket.
bool ParseNamedDims(TextCursor& in, const Mesh& mesh, Sharding& sharding, AxisList& used) {
  if (in.Eat("]")) {
    return true;
  }
  do {
    DimSharding dim;
    if (!in.Expect("{") || !ParseAxisList(in, mesh, dim.axes, &dim.open, used)) {
      return false;
    }
    sharding.dims.push_back(std::move(dim));
  } while (in.Eat(","));
  return in.Expect("]");
}

// `replicated={...}` and its like, behind the name; the set must be disjoint from what is used.
bool ParseSet(TextCursor& in, const Mesh& mesh, AxisList& used, AxisList& set) {
  AxisList list;
  if (!in.Expect("{") || !ParseAxisList(in, mesh, list, nullptr, used)) {
    return false;
  }
  set = AsSet(list);
  return true;
}

// A sharding of the whole mesh, without dims: `mesh[...], replicated`. False if there is none here.
bool ParseWholeMesh(TextCursor& in, const Mesh& mesh, TileSharding& leaf) {
  if (in.EatWord("replicated")) {
    leaf.kind = Kind::Replicated;
  } else if (in.EatWord("manual")) {
    leaf.kind = Kind::Manual;
  } else if (in.EatWord("unreduced")) {
    leaf.kind = Kind::Unreduced;
    Sharding sharding;
    sharding.unreduced = AllAxes(mesh);
    AxisList listed, used;
    if (in.Eat("=") && ParseMonoid(in, sharding.unreduced_kind) && in.Eat("{") &&
        ParseAxisList(in, mesh, listed, nullptr, used) && AsSet(listed) != sharding.unreduced) {
      in.Fail("a sharding without dims must name every axis of the mesh");
    }
    leaf.named = {mesh, sharding};
  } else {
    return false;
  }
  return true;
}

bool ParseNamedSets(TextCursor& in, const Mesh& mesh, TileSharding& leaf, Sharding& sharding, AxisList used) {
  while (in.Eat(",")) {
    if (in.EatWord("replicated")) {
      if (!in.Expect("=") || !ParseSet(in, mesh, used, sharding.replicated)) {
        return false;
      }
    } else if (in.EatWord("unreduced")) {
      if (!in.Expect("=") || !ParseMonoid(in, sharding.unreduced_kind) ||
          !ParseSet(in, mesh, used, sharding.unreduced)) {
        return false;
      }
    } else if (in.EatWord("manual")) {
      if (!in.Expect("=") || !ParseSet(in, mesh, used, sharding.varying)) {
        return false;
      }
    } else if (in.EatWord("metadata")) {
      return in.Expect("=") && in.Expect("{") && BracedText(in, leaf.metadata);
    } else {
      return in.Fail("expected replicated, unreduced, manual or metadata, found " + in.Found());
    }
  }
  return true;
}

bool ParseNamed(TextCursor& in, TileSharding& leaf) {
  size_t start = in.position();
  Mesh mesh;
  if (!ParseHloMesh(in, mesh)) {
    return false;
  }
  in.Eat(",");
  Sharding sharding;
  if (ParseWholeMesh(in, mesh, leaf)) {
    return ParseNamedSets(in, mesh, leaf, sharding, {});
  }
  leaf.kind = Kind::Named;
  AxisList used;
  if (!in.Expect("[") || !ParseNamedDims(in, mesh, sharding, used) || !ParseNamedSets(in, mesh, leaf, sharding, used)) {
    return false;
  }
  if (std::string error = Verify(mesh, sharding, sharding.dims.size()); !error.empty()) {
    return in.FailAt(start, error);
  }
  leaf.named = {std::move(mesh), std::move(sharding)};
  return true;
}

// What says where a value is; the rest of a leaf only adds to it.
std::optional<Kind> ParseKind(TextCursor& in, TileSharding& leaf) {
  constexpr std::pair<llvm::StringLiteral, Kind> kWords[] = {{"replicated", Kind::Replicated},
                                                             {"manual", Kind::Manual},
                                                             {"unknown", Kind::Unknown},
                                                             {"unreduced", Kind::Unreduced},
                                                             {"maximal", Kind::Maximal}};
  for (const auto& [word, kind] : kWords) {
    if (in.EatWord(word)) {
      return kind;
    }
  }
  if (in.EatWord("maximal_mesh")) {
    bool read = in.Expect("[") && in.Expect("device_id") && in.Expect("=") &&
                in.Int(leaf.device, 0, "a device number") && in.Expect("]");
    return read ? std::optional(Kind::Maximal) : std::nullopt;
  }
  if (in.EatWord("devices")) {
    return ParseTiles(in, leaf) ? std::optional(Kind::Tiled) : std::nullopt;
  }
  if (in.EatWord("mesh")) {
    return ParseNamed(in, leaf) ? std::optional(leaf.kind) : std::nullopt;
  }
  return std::nullopt;
}

// False without an error where there is no such item.
bool ParseAddition(TextCursor& in, TileSharding& leaf) {
  if (in.EatWord("device")) {
    return in.Expect("=") && in.Int(leaf.device, 0, "a device number");
  }
  if (in.EatWord("last_tile_dim_replicate")) {
    leaf.subgroups.push_back(Subgroup::Replicated);
    return true;
  }
  if (in.EatWord("last_tile_dims")) {
    return ParseSubgroups(in, leaf);
  }
  bool as = in.EatWord("shard_as");
  if (as || in.EatWord("shard_like")) {
    in.Eat("=");
    return in.Int(as ? leaf.shard_as : leaf.shard_like, 0, "a group number");
  }
  return in.EatWord("metadata") && in.Expect("=") && in.Expect("{") && BracedText(in, leaf.metadata);
}

// The items of a leaf stand in any order, as XLA takes them; one of them says where the value is.
bool ParseLeaf(TextCursor& in, TileSharding& leaf) {
  std::optional<Kind> kind;
  size_t begin = in.position(), subgroups_at = begin;
  while (!in.Eat("}")) {
    size_t start = in.position();
    subgroups_at = leaf.subgroups.empty() ? start : subgroups_at;
    if (std::optional<Kind> said = ParseKind(in, leaf)) {
      if (kind) {
        return in.FailAt(start, "a sharding says once where a value is, and this one does a second time");
      }
      kind = said;
    } else if (in.failed() || !ParseAddition(in, leaf)) {
      return in.failed() ? false
             : kind
                 ? in.Fail("expected '}', found " + in.Found())
                 : in.Fail("expected a sharding such as replicated, devices=[...] or mesh[...], found " + in.Found());
    }
  }
  if (!kind || (*kind == Kind::Maximal) != (leaf.device >= 0)) {
    return in.FailAt(begin, !kind              ? "nothing here says where the value is"
                            : leaf.device >= 0 ? "device= is for {maximal device=N}"
                                               : "maximal needs a device, as {maximal device=0}");
  }
  leaf.kind = *kind;
  if (leaf.subgroups.size() > leaf.tiles.size()) {
    return in.FailAt(subgroups_at, "more subgroups than tile dims");
  }
  return true;
}

bool ParseSharding(TextCursor& in, llvm::SmallVectorImpl<TileSharding>& leaves, bool& is_tuple) {
  if (!in.Expect("{")) {
    return false;
  }
  is_tuple = in.Peek("{") || in.Peek("}");
  if (!is_tuple) {
    return ParseLeaf(in, leaves.emplace_back());
  }
  if (in.Eat("}")) {
    return true;
  }
  do {
    if (!in.Expect("{") || !ParseLeaf(in, leaves.emplace_back())) {
      return false;
    }
  } while (in.Eat(","));
  return in.Expect("}");
}

}  // namespace

std::optional<TextError> ParseHloSharding(llvm::StringRef text, llvm::SmallVectorImpl<TileSharding>& leaves,
                                          bool& is_tuple, size_t& end) {
  TextCursor in(text);
  ParseSharding(in, leaves, is_tuple);
  end = in.end();
  return in.error();
}

}  // namespace spmdc::mesh
