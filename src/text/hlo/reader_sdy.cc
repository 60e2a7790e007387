// Shardy's annotations in HLO: meshes in the header's frontend attributes, shardings in those of instructions.
//
//   frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["data"=2, "model"=2]>}}
//   frontend_attributes={xla.sdy.tuple_args_shardings="#sdy.sharding_per_value<[...]>"}     in the header
//   frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"data\"}, {}]>"}
//
// Where an instruction has both these and a tile sharding, these count.
#include "mesh/sdy_carried.h"

#include "llvm/ADT/STLExtras.h"
#include "support/starts_with.h"
#include "text/hlo/layout.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {

llvm::StringRef FrontendAttribute(llvm::StringRef text, llvm::StringRef key) {
  llvm::StringRef found;
  ForEachField(text, [&](llvm::StringRef name, llvm::StringRef value) {
    if (name == key) {
      found = value;
    }
  });
  return found;
}

bool Reader::ReadSdyMeshes() {
  auto attr = llvm::find_if(header_, [](const RawAttr& a) { return a.name == "frontend_attributes"; });
  llvm::StringRef value = attr == header_.end() ? "" : FrontendAttribute(attr->value, "xla.sdy.meshes");
  if (value.empty()) {
    return true;
  }
  std::string text = StartsWith(value, "\"") ? Unquote(value) : value.str();
  module_.side = WithSide(module_.side, kMeshes, text);
  llvm::StringRef rest = text;
  while (true) {
    mesh::Mesh mesh;
    if (auto error = mesh::TakeSdyMesh(rest, mesh)) {
      return Fail(op::KindOf(*error), value, "mesh " + mesh.name + ": " + error->message);
    }
    if (mesh.name.empty()) {
      return true;
    }
    mesh::NormalizeDeviceIds(mesh);
    mesh::MeshId id = module_.tables->meshes.Intern(mesh);
    sdy_meshes_[mesh.name] = id;
    if (!module_.mesh.valid() && mesh.size() > 1) {
      module_.mesh = id;
      module_.num_devices = std::max(module_.num_devices, mesh.size());
    }
  }
}

bool Reader::SdyShardings(llvm::StringRef value, size_t num_leaves, llvm::SmallVectorImpl<mesh::ShardingId>& out) {
  auto lookup = [&](llvm::StringRef name) -> std::optional<mesh::MeshId> {
    auto it = sdy_meshes_.find(name);
    return it == sdy_meshes_.end() ? std::nullopt : std::optional(it->second);
  };
  auto intern = [&](mesh::Mesh mesh) {
    mesh::NormalizeDeviceIds(mesh);
    return module_.tables->meshes.Intern(mesh);
  };
  auto mesh_of = [&](mesh::MeshId id) -> const mesh::Mesh& { return module_.tables->meshes[id]; };
  std::vector<mesh::Sharding> shardings;
  if (auto error = mesh::ParseCarriedShardings(Unquote(value), lookup, intern, mesh_of, shardings)) {
    return Fail(op::KindOf(*error), value, error->message);
  }
  for (const mesh::Sharding& sharding : shardings) {
    out.push_back(module_.tables->shardings.Intern(sharding));
  }
  return out.size() == num_leaves ||
         Fail(diag::Kind::ShardingText, value,
              std::to_string(out.size()) + " shardings for " + std::to_string(num_leaves) + " values");
}

// Of an entry whose arguments or results are one tuple the header says where its elements are.
bool Reader::ReadTupleShardings(ir::Function& entry) {
  auto attr = llvm::find_if(header_, [](const RawAttr& a) { return a.name == "frontend_attributes"; });
  auto read = [&](llvm::StringRef key, llvm::ArrayRef<ir::ValueId> values, std::vector<ir::BoundaryInfo>& infos) {
    llvm::StringRef text = attr == header_.end() ? "" : FrontendAttribute(attr->value, key);
    llvm::SmallVector<mesh::ShardingId, 8> ids;
    if (text.empty() || !SdyShardings(text, values.size(), ids)) {
      return text.empty();
    }
    for (size_t i = 0; i < values.size(); ++i) {
      mesh::Sharding sharding = module_.tables->shardings[ids[i]];
      const mesh::Mesh& mesh = module_.tables->meshes[sharding.mesh];
      mesh::AddLeftOutDims(mesh, module_.type(entry, values[i]).rank(), sharding);
      if (!module_.mesh.valid() && mesh.size() > 1) {
        module_.mesh = sharding.mesh;
        module_.num_devices = std::max(module_.num_devices, mesh.size());
      }
      infos[i].sharding = module_.tables->shardings.Intern(sharding);
      infos[i].pinned = true;
    }
    return true;
  };
  return read("xla.sdy.tuple_args_shardings", entry.args, entry.arg_info) &&
         read("xla.sdy.tuple_results_shardings", entry.results, entry.result_info);
}

bool Reader::AnnotationOf(const RawInst& raw, llvm::ArrayRef<ir::TypeId> leaves,
                          llvm::SmallVectorImpl<mesh::ShardingId>& out) {
  const RawAttr* frontend = raw.Find("frontend_attributes");
  const RawAttr* tiles = raw.Find("sharding");
  llvm::StringRef sdy = frontend == nullptr ? "" : FrontendAttribute(frontend->value, "xla.sdy.sharding");
  // A call without results is placed all the same, on the device that makes it.
  if ((sdy.empty() && tiles == nullptr) || leaves.empty()) {
    return true;
  }
  llvm::StringRef text = sdy.empty() ? tiles->value : sdy;
  auto read = [&] {
    bool good = sdy.empty() ? Shardings(text, leaves, out) : SdyShardings(text, leaves.size(), out);
    for (size_t i = 0; good && i < leaves.size(); ++i) {
      mesh::Sharding sharding = module_.tables->shardings[out[i]];
      size_t rank = module_.tables->types[leaves[i]].rank();
      if (mesh::AddLeftOutDims(module_.tables->meshes[sharding.mesh], rank, sharding)) {
        out[i] = module_.tables->shardings.Intern(sharding);
      }
    }
    return good;
  };
  if (leaves.size() != 1) {
    return read();
  }
  // Few shardings make up a program: the text of each is read once for every rank.
  size_t rank = module_.tables->types[leaves[0]].rank();
  auto known = sharding_of_text_.find({text, rank});
  if (known != sharding_of_text_.end()) {
    out.push_back(known->second);
    return true;
  }
  if (!read()) {
    return false;
  }
  sharding_of_text_[{text, rank}] = out.back();
  return true;
}

}  // namespace spmdc::text::hlo
