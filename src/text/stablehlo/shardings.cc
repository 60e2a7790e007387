// Meshes and shardings: sdy's texts, and HLO's tile lists in `mhlo.sharding` strings.
#include "mesh/sdy_carried.h"

#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

std::optional<mesh::MeshId> Parser::MeshByName(llvm::StringRef name) {
  auto it = mesh_of_name_.find(name);
  if (it != mesh_of_name_.end()) {
    return it->second;
  }
  return std::nullopt;
}

void Parser::AddMesh(llvm::StringRef name, llvm::StringRef text) {
  mesh::Mesh mesh;
  size_t end = 0;
  if (auto error = mesh::ParseSdyMesh(text, mesh, end)) {
    Fail(op::KindOf(*error), SpanOf(text.substr(error->offset, 1)), error->message);
    mesh_of_name_.try_emplace(name);
    return;
  }
  AddMesh(name, std::move(mesh), SpanOf(text));
}

void Parser::AddMesh(llvm::StringRef name, mesh::Mesh mesh, source::Span span) {
  mesh.name = name.str();
  mesh::NormalizeDeviceIds(mesh);
  mesh::MeshId id = module_.tables->meshes.Intern(mesh);
  if (!mesh_of_name_.try_emplace(name, id).second) {
    Fail(diag::Kind::Redefinition, span, "mesh @" + name.str() + " is defined twice");
    return;
  }
  meshes_.emplace_back(id, span);
  if (!module_.mesh.valid() && mesh.size() > 1) {
    module_.mesh = id;  // collectives in the text are lifted to its axes
  }
}

// `told`: the error is that of a mesh, which was told where the mesh is.
template <typename Parse>
std::optional<mesh::TextError> Parser::ParseWithMeshes(bool& told, Parse parse) {
  auto lookup = [&](llvm::StringRef name) {
    std::optional<mesh::MeshId> id = MeshByName(name);
    told = id && !id->valid();
    return told ? std::nullopt : id;
  };
  auto intern = [&](mesh::Mesh mesh) {
    mesh::NormalizeDeviceIds(mesh);
    return module_.tables->meshes.Intern(mesh);
  };
  auto mesh_of = [&](mesh::MeshId id) -> const mesh::Mesh& { return module_.tables->meshes[id]; };
  return parse(lookup, intern, mesh_of);
}

std::optional<mesh::ShardingId> Parser::ReadSdySharding() {
  lex_.Peek();
  size_t begin = lex_.pos();
  if (!lex_.SkipBalanced()) {
    FailExpected("`>` at the end of a sharding");
    return std::nullopt;
  }
  llvm::StringRef text = lex_.Slice(begin, lex_.pos());
  auto [it, fresh] = sharding_of_text_.try_emplace(text);
  if (!fresh && it->second.valid()) {
    return it->second;
  }
  mesh::Sharding sharding;
  size_t end = 0;
  bool told = false;  // a mesh that was wrong is no mesh, and that is known
  auto parse = [&](mesh::MeshLookup lookup, mesh::MeshIntern intern, mesh::MeshOfId mesh_of) {
    return mesh::ParseSdySharding(text, lookup, intern, mesh_of, sharding, end);
  };
  if (auto error = ParseWithMeshes(told, parse)) {
    if (!told) {
      Fail(op::KindOf(*error), SpanOf(text.substr(error->offset, 1)), error->message);
    }
    return std::nullopt;
  }
  it->second = module_.tables->shardings.Intern(sharding);
  return it->second;
}

mesh::ShardingId Parser::OfRank(mesh::ShardingId id, size_t rank) {
  const mesh::Sharding& sharding = module_.tables->shardings[id];
  if (!module_.tables->meshes[sharding.mesh].maximal) {
    return id;
  }
  mesh::Sharding whole = sharding;
  bool added = mesh::AddLeftOutDims(module_.tables->meshes[whole.mesh], rank, whole);
  return added ? module_.tables->shardings.Intern(whole) : id;
}

// `#sdy.sharding<...>` of one value or `#sdy.sharding_per_value<[...]>`.
bool Parser::ReadShardingEntry(Dict& dict) {
  lex_.Peek();
  size_t begin = lex_.pos();
  auto attr = ReadAttr();
  if (!attr) {
    return false;
  }
  dict.sharding_span = {file_, static_cast<uint32_t>(begin), lex_.last_end()};
  if (attr->kind == op::MlirAttr::Kind::Sharding) {
    dict.shardings.push_back(attr->sharding);
    return true;
  }
  for (const op::MlirAttr& item : attr->items) {
    if (item.kind != op::MlirAttr::Kind::Sharding) {
      return Fail(diag::Kind::ShardingText, item.span, "expected a sharding");
    }
    dict.shardings.push_back(item.sharding);
  }
  return true;
}

// Of one value or of several, in a string: `"#sdy.sharding<...>"`, `"#sdy.sharding_per_value<[...]>"`.
bool Parser::ReadCarriedShardings(const op::MlirAttr& string, std::vector<mesh::ShardingId>& shardings) {
  bool told = false;
  std::vector<mesh::Sharding> found;
  auto parse = [&](mesh::MeshLookup lookup, mesh::MeshIntern intern, mesh::MeshOfId mesh_of) {
    return mesh::ParseCarriedShardings(string.text, lookup, intern, mesh_of, found);
  };
  if (auto error = ParseWithMeshes(told, parse)) {
    return !told && FailInString(string, *error);
  }
  for (const mesh::Sharding& sharding : found) {
    shardings.push_back(module_.tables->shardings.Intern(sharding));
  }
  has_carried_shardings_ |= !found.empty();
  return true;
}

// All tile lists of the text, so that one mesh is found on which each of them is a list of axes.
void Parser::CollectHloShardings() {
  constexpr llvm::StringLiteral kKey = "mhlo.sharding = \"";
  llvm::StringRef text = lex_.text();
  llvm::SmallVector<mesh::TileSharding, 8> leaves;
  for (size_t at = FindText(text, kKey); at != llvm::StringRef::npos; at = FindText(text, kKey, at + 1)) {
    llvm::StringRef value = text.substr(at + kKey.size()).split('"').first;
    bool is_tuple = false;
    size_t end = 0;
    llvm::SmallVector<mesh::TileSharding, 1> found;
    if (!mesh::ParseHloSharding(value, found, is_tuple, end)) {
      leaves.append(found.begin(), found.end());
    }
  }
  has_hlo_shardings_ = !leaves.empty();
  if (leaves.empty()) {
    return;
  }
  size_t count_at = text.find("mhlo.num_partitions = ");
  int64_t devices = 1;
  if (count_at != llvm::StringRef::npos) {
    text.substr(count_at + 22).consumeInteger(10, devices);
    devices = std::clamp<int64_t>(devices, 1, INT32_MAX);  // others are refused where they are read
  }
  llvm::SmallVector<const mesh::TileSharding*, 8> pointers;
  for (const mesh::TileSharding& leaf : leaves) {
    pointers.push_back(&leaf);
  }
  if (auto common = mesh::CommonMesh(pointers, devices)) {
    mesh::NormalizeDeviceIds(*common);
    hlo_mesh_ = module_.tables->meshes.Intern(*common);
    module_.mesh = hlo_mesh_;
  }
}

std::optional<mesh::ShardingId> Parser::HloSharding(llvm::StringRef text, size_t rank, source::Span span) {
  llvm::SmallVector<mesh::TileSharding, 1> leaves;
  bool is_tuple = false;
  size_t end = 0;
  if (auto error = mesh::ParseHloSharding(text, leaves, is_tuple, end)) {
    Fail(op::KindOf(*error), span, error->message);
    return std::nullopt;
  }
  if (is_tuple || leaves.size() != 1) {
    Fail(diag::Kind::UnsupportedFeature, span, "a sharding of a tuple stands at one value");
    return std::nullopt;
  }
  mesh::MeshId id = hlo_mesh_;
  std::optional<mesh::Sharding> sharding;
  if (id.valid()) {
    sharding = mesh::ToNamed(leaves[0], module_.tables->meshes[id], id, rank);
  }
  if (!sharding) {
    mesh::Mesh own = mesh::MeshOf(leaves[0], std::max<int64_t>(num_partitions_, 1));
    mesh::NormalizeDeviceIds(own);
    id = module_.tables->meshes.Intern(own);
    sharding = mesh::ToNamed(leaves[0], own, id, rank);
  }
  if (!sharding) {
    Fail(diag::Kind::UnsupportedFeature, span, "sharding " + text.str() + " is not supported here");
    return std::nullopt;
  }
  return module_.tables->shardings.Intern(*sharding);
}

// The rank is known only where the value is; the text is kept until then.
bool Parser::ReadHloShardingEntry(Dict& dict) {
  auto attr = ReadAttr();
  if (!attr) {
    return false;
  }
  dict.sharding_span = attr->span;
  dict.fields.emplace_back("mhlo.sharding", std::move(*attr));
  return true;
}

}  // namespace spmdc::text::stablehlo
