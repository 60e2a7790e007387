// The boundary first, so that what the specs say anew of it need not fit the new mesh; then the mesh; then the shardings.
#include "driver/apply_specs.h"

#include "driver/remesh.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/sharding.h"
#include "specs/matcher.h"
#include "specs/placement.h"

namespace spmdc::driver {
namespace {

class Applier {
 public:
  Applier(const specs::Specs& specs, ir::Module& module, diag::Engine& diags)
      : specs_(specs), module_(module), tables_(*module.tables), diags_(diags) {}

  bool Boundary() {
    if (module_.per_device) {
      diags_
          .Error(diag::Kind::UnsupportedFeature, Where(),
                 "the text is one device's program, and specs are for whole programs")
          .Help("--program=global says that it is a whole one");
      return false;
    }
    ir::Function& entry = module_.functions[module_.entry];
    std::vector<const specs::Entry*> args = Match(specs_.args, entry, entry.args, entry.arg_info, "argument");
    std::vector<const specs::Entry*> results = Match(specs_.results, entry, entry.results, entry.result_info, "result");
    Forget(entry, args, results);
    if (!ok_ || !ReplaceMeshes()) {
      return false;
    }
    Place(args, entry.args, entry.arg_info, "argument");
    Place(results, entry.results, entry.result_info, "result");
    return ok_;
  }

 private:
  source::Span Where() const {
    auto first = [](const auto& entries) { return entries.empty() ? source::Span() : entries.front().span; };
    return !specs_.meshes.empty() ? specs_.meshes.front().span
           : !specs_.args.empty() ? first(specs_.args)
                                  : first(specs_.results);
  }

  std::vector<const specs::Entry*> Match(llvm::ArrayRef<specs::Entry> entries, const ir::Function& f,
                                         llvm::ArrayRef<ir::ValueId> values, llvm::ArrayRef<ir::BoundaryInfo> infos,
                                         const std::string& noun) {
    std::vector<const specs::Entry*> found(values.size());
    if (entries.empty()) {
      return found;
    }
    specs::Matcher matcher(entries, noun);
    for (size_t i = 0; i < values.size(); ++i) {
      llvm::SmallVector<llvm::StringRef, 2> names;
      if (!infos[i].name.empty()) {
        names.push_back(infos[i].name);
      }
      // A result goes by its own name only: its value may be several results, or an argument.
      const std::string& value = f.values[values[i]].name;
      if (noun == "argument" && value != infos[i].name) {
        names.push_back(value);
      }
      found[i] = matcher.Find(i, names);
    }
    ok_ &= matcher.Finish(diags_);
    return found;
  }

  // What the program says of a leaf of which the specs say something else.
  void Forget(ir::Function& entry, llvm::ArrayRef<const specs::Entry*> args,
              llvm::ArrayRef<const specs::Entry*> results) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i] != nullptr) {
        entry.arg_info[i].sharding = {};
        entry.arg_info[i].pinned = false;
        entry.values[entry.args[i]].sharding = {};
      }
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i] != nullptr) {
        entry.result_info[i].sharding = {};
        entry.result_info[i].pinned = false;
      }
    }
  }

  bool ReplaceMeshes() {
    for (const specs::MeshSpec& spec : specs_.meshes) {
      mesh::MeshId from = spec.name.empty() ? module_.mesh : MeshNamed(spec.name);
      const mesh::Mesh* like = from.valid() ? &tables_.meshes[from] : nullptr;
      std::optional<mesh::Mesh> made = specs::MakeMesh(spec, like, diags_);
      if (!made || !CheckMesh(spec, *made)) {
        return false;
      }
      bool changed = from.valid() && *made != *like;
      std::optional<mesh::MeshId> id = changed ? Remesh(module_, from, *made, diags_) : tables_.meshes.Intern(*made);
      if (!id) {
        return false;
      }
      meshes_.push_back({spec.name, *id});
      module_.mesh = module_.mesh.valid() ? module_.mesh : *id;
    }
    if (!specs_.meshes.empty()) {
      module_.num_devices = tables_.meshes[module_.mesh].size();
    }
    return specs_.meshes.empty() || CheckDeviceCounts(module_, diags_);
  }

  mesh::MeshId MeshNamed(llvm::StringRef name) const {
    if (module_.mesh.valid() && tables_.meshes[module_.mesh].name == name) {
      return module_.mesh;
    }
    for (size_t i = 0; i < tables_.meshes.size(); ++i) {
      mesh::MeshId id{static_cast<int32_t>(i)};
      if (tables_.meshes[id].name == name) {
        return id;
      }
    }
    return {};
  }

  bool CheckMesh(const specs::MeshSpec& spec, const mesh::Mesh& mesh) {
    for (size_t i = 0; i < mesh.axes.size(); ++i) {
      if (mesh.axes[i].type != mesh::AxisType::Auto) {
        diags_
            .Error(diag::Kind::AxisTypes, spec.axes[i].span,
                   "axis '" + mesh.axes[i].name + "' is Explicit, and the types of this text name no axes")
            .Help("programs in HLO or StableHLO have Auto axes");
        return false;
      }
    }
    // What says how many devices there are, without a mesh: groups of devices, num_partitions.
    if (!module_.mesh.valid() && module_.num_devices > 1 && module_.num_devices != mesh.size()) {
      diags_.Error(diag::Kind::DeviceCount, spec.span,
                   "the program is for " + std::to_string(module_.num_devices) + " devices, and the mesh " +
                       mesh::Describe(mesh) + " has " + std::to_string(mesh.size()));
      return false;
    }
    return true;
  }

  // The mesh that a placement is on; none after a diagnostic.
  mesh::MeshId MeshOf(const specs::Placement& placement) {
    if (!placement.mesh.empty()) {
      auto named = llvm::find_if(meshes_, [&](const auto& mesh) { return mesh.first == placement.mesh; });
      mesh::MeshId id = named != meshes_.end() ? named->second : MeshNamed(placement.mesh);
      if (!id.valid()) {
        diags_.Error(diag::Kind::NoMesh, placement.span, "there is no mesh '" + placement.mesh + "'");
      }
      return id;
    }
    if (!module_.mesh.valid()) {
      diags_.Error(diag::Kind::NoMesh, placement.span, "the program has no mesh for this spec")
          .Help("say one: --mesh=data=4,model=2");
    }
    return module_.mesh;
  }

  void Place(llvm::ArrayRef<const specs::Entry*> entries, llvm::ArrayRef<ir::ValueId> values,
             std::vector<ir::BoundaryInfo>& infos, llvm::StringRef noun) {
    const ir::Function& entry = module_.functions[module_.entry];
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] == nullptr) {
        continue;
      }
      const ir::Type& type = module_.type(entry, values[i]);
      llvm::StringRef name = noun == "argument" && infos[i].name.empty() ? entry.values[values[i]].name : infos[i].name;
      specs::Subject subject{specs::Called(noun, name, i), type.dims};
      if (!specs::CheckType(*entries[i], type, subject, diags_)) {
        ok_ = false;
        continue;
      }
      if (entries[i]->placement.undecided) {
        continue;
      }
      infos[i].sharding = Make(entries[i]->placement, subject);
      infos[i].pinned = true;
      infos[i].span = entries[i]->span;
    }
  }

  mesh::ShardingId Make(const specs::Placement& placement, const specs::Subject& subject) {
    mesh::MeshId id = MeshOf(placement);
    std::optional<mesh::Sharding> made =
        id.valid() ? specs::MakeSharding(placement, tables_.meshes[id], id, subject, diags_) : std::nullopt;
    ok_ &= made.has_value();
    return made ? tables_.shardings.Intern(*made) : mesh::ShardingId();
  }

  const specs::Specs& specs_;
  ir::Module& module_;
  ir::Tables& tables_;
  diag::Engine& diags_;
  bool ok_ = true;
  std::vector<std::pair<std::string, mesh::MeshId>> meshes_;  // that the specs say, by name
};

}  // namespace

bool ApplyBoundary(const specs::Specs& specs, ir::Module& module, diag::Engine& diags) {
  return Applier(specs, module, diags).Boundary();
}

}  // namespace spmdc::driver
