// Two passes: which axes of the old mesh are used, and by what; then every sharding and attribute rewritten.
#include "driver/remesh.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"
#include "op/op_def.h"

namespace spmdc::driver {
namespace {

// What an instruction's attributes say about meshes; other fields pass by.
class MeshFields : public ir::FieldVisitor {
 public:
  void Field(llvm::StringRef /*name*/, bool& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, int64_t& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, double& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, std::string& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, tensor::Dims& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, std::vector<tensor::Dims>& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, tensor::DType& /*value*/) override {}
  void Field(llvm::StringRef /*name*/, tensor::Literal& /*value*/) override {}
  void Enum(llvm::StringRef /*name*/, int& /*value*/, llvm::ArrayRef<llvm::StringRef> /*names*/) override {}
};

// Collects; and says whether there is anything to rewrite.
class Collector : public MeshFields {
 public:
  using MeshFields::Field;
  void Field(llvm::StringRef /*name*/, mesh::MeshId& value) override { mesh = value.valid() ? value : mesh; }
  void Field(llvm::StringRef /*name*/, mesh::AxisList& value) override { axes.append(value.begin(), value.end()); }
  void Field(llvm::StringRef name, std::vector<tensor::Dims>& value) override {
    lists_devices |= !value.empty() && (name == "lists" || name == "source_target_pairs");
  }
  void Field(llvm::StringRef /*name*/, mesh::ShardingId& value) override { shardings.push_back(value); }
  void Field(llvm::StringRef /*name*/, llvm::SmallVector<mesh::ShardingId, 4>& value) override {
    shardings.append(value.begin(), value.end());
  }

  mesh::MeshId mesh;
  mesh::AxisList axes;
  llvm::SmallVector<mesh::ShardingId, 4> shardings;
  bool lists_devices = false;  // groups or pairs of device numbers
};

Collector FieldsOf(const ir::Module& module, const ir::Inst& inst) {
  Collector fields;
  if (inst.attrs.valid()) {
    module.tables->attrs.Copy(inst.attrs)->Visit(fields);
  }
  return fields;
}

}  // namespace

void ForEachSharding(const ir::Module& module, llvm::function_ref<void(mesh::ShardingId, source::Span)> f) {
  for (const ir::Function& function : module.functions) {
    for (const ir::Value& value : function.values) {
      f(value.sharding, value.span);
      f(module.type(value).sharding, value.span);
    }
    for (const auto* infos : {&function.arg_info, &function.result_info}) {
      for (const ir::BoundaryInfo& info : *infos) {
        f(info.sharding, info.span);
      }
    }
    for (const ir::Inst& inst : function.insts) {
      f(inst.out_sharding, inst.span);
      for (mesh::ShardingId id : FieldsOf(module, inst).shardings) {
        f(id, inst.span);
      }
    }
  }
}

namespace {

// A use of an axis of the old mesh.
struct Use {
  mesh::AxisRef ref;
  source::Span span;
  bool keeps_size = false;  // of a part of the text that is one device's
};

class Remesher : public MeshFields {
 public:
  using MeshFields::Field;
  Remesher(ir::Module& module, mesh::MeshId from, const mesh::Mesh& to, diag::Engine& diags)
      : module_(module), tables_(*module.tables), from_(from), old_(tables_.meshes[from]), new_(to), diags_(diags) {}

  std::optional<mesh::MeshId> Run() {
    Collect();
    by_name_ = llvm::all_of(uses_, [&](const Use& use) { return new_.FindAxis(NameOf(use.ref)).has_value(); });
    if (!by_name_ && !SameDevices()) {
      return std::nullopt;
    }
    for (const Use& use : uses_) {
      if (!Check(use)) {
        return std::nullopt;
      }
    }
    if (counts_devices_.valid() && !KeepsNumbers()) {
      diags_.Error(diag::Kind::MeshMismatch, counts_devices_,
                   "the text counts the devices of its mesh " + mesh::Describe(old_) + ", and the mesh " +
                       mesh::Describe(new_) + " numbers them in another way");
      return std::nullopt;
    }
    to_ = tables_.meshes.Intern(new_);
    Rewrite();
    return to_;
  }

  void Field(llvm::StringRef /*name*/, mesh::MeshId& value) override { value = value == from_ ? to_ : value; }
  void Field(llvm::StringRef /*name*/, mesh::AxisList& value) override {
    if (attrs_mesh_ == from_) {
      value = Map(value);
    }
  }
  void Field(llvm::StringRef /*name*/, mesh::ShardingId& value) override { value = Map(value); }
  void Field(llvm::StringRef /*name*/, llvm::SmallVector<mesh::ShardingId, 4>& value) override {
    for (mesh::ShardingId& id : value) {
      id = Map(id);
    }
  }

 private:
  const std::string& NameOf(mesh::AxisRef ref) const { return old_.axes[static_cast<size_t>(ref.axis)].name; }

  void AddUses(llvm::ArrayRef<mesh::AxisRef> axes, source::Span span, bool keeps_size) {
    for (const mesh::AxisRef& ref : axes) {
      // One use stands for all of its kind; the first is told.
      auto same = [&](const Use& use) { return use.ref == ref && use.keeps_size == keeps_size; };
      if (llvm::none_of(uses_, same)) {
        uses_.push_back({ref, span, keeps_size});
      }
    }
  }

  void AddUses(mesh::ShardingId id, source::Span span) {
    if (!id.valid() || tables_.shardings[id].mesh != from_ || !seen_.try_emplace(id.index, 0).second) {
      return;
    }
    const mesh::Sharding& sharding = tables_.shardings[id];
    for (const mesh::DimSharding& dim : sharding.dims) {
      AddUses(dim.axes, span, false);
    }
    for (const mesh::AxisList* set : {&sharding.replicated, &sharding.unreduced, &sharding.reduced}) {
      AddUses(*set, span, false);
    }
    AddUses(sharding.varying, span, true);
  }

  void Collect() {
    ForEachSharding(module_, [&](mesh::ShardingId id, source::Span span) { AddUses(id, span); });
    for (const ir::Function& f : module_.functions) {
      for (const ir::Inst& inst : f.insts) {
        Collector fields = FieldsOf(module_, inst);
        if ((fields.mesh.valid() ? fields.mesh : module_.mesh) == from_) {
          AddUses(fields.axes, inst.span, true);
        }
        // The number of a device is the only value that stands for one.
        if (fields.lists_devices || op::Def(inst.op).hlo_opcode == "partition-id") {
          counts_devices_ = inst.span;
        }
      }
    }
  }

  // Whether the devices themselves can say where things are.
  bool SameDevices() {
    if (old_.size() == new_.size() && old_.device_ids == new_.device_ids) {
      return true;
    }
    auto use = llvm::find_if(uses_, [&](const Use& u) { return !new_.FindAxis(NameOf(u.ref)); });
    diags_
        .Error(diag::Kind::UnknownAxis, use->span,
               "the program uses axis '" + NameOf(use->ref) + "' of its mesh " + mesh::Describe(old_) +
                   ", which the mesh " + mesh::Describe(new_) + " does not have")
        .Help(
            "name the axes alike, or say where arguments and results are (--in, --out) so that the text's own "
            "shardings "
            "do not count");
    return false;
  }

  // Whether every axis in use splits the device numbers as it did.
  bool KeepsNumbers() const {
    return old_.size() == new_.size() && old_.device_ids == new_.device_ids && llvm::all_of(uses_, [&](const Use& use) {
             return mesh::ToDigits(old_, use.ref) == mesh::ToDigits(new_, *Map(use.ref));
           });
  }

  bool Check(const Use& use) {
    std::optional<mesh::AxisList> mapped = Map(use.ref);
    if (!mapped) {
      diags_.Error(diag::Kind::MeshMismatch, use.span,
                   "the program uses " + mesh::ToString(old_, use.ref) + " of its mesh " + mesh::Describe(old_) +
                       ", which no axes of the mesh " + mesh::Describe(new_) + " are");
      return false;
    }
    if (use.keeps_size && mesh::Product(*mapped) != use.ref.size) {
      diags_.Error(diag::Kind::MeshMismatch, use.span,
                   "the text says what one device does, with axis '" + NameOf(use.ref) + "' of size " +
                       std::to_string(use.ref.size) + "; on the mesh " + mesh::Describe(new_) + " it has size " +
                       std::to_string(mesh::Product(*mapped)));
      return false;
    }
    return true;
  }

  // The axes of the new mesh for a use of the old one's; nothing if there are none.
  std::optional<mesh::AxisList> Map(mesh::AxisRef ref) const {
    if (!by_name_) {
      return mesh::FromDigits(new_, mesh::ToDigits(old_, ref));
    }
    int32_t axis = *new_.FindAxis(NameOf(ref));
    int64_t size = new_.axes[static_cast<size_t>(axis)].size;
    if (mesh::IsWhole(old_, ref)) {
      return mesh::AxisList{mesh::Whole(new_, axis)};
    }
    bool fits = size % ref.size == 0 && size / ref.size % ref.pre == 0;
    return fits ? std::optional(mesh::AxisList{{axis, ref.pre, ref.size}}) : std::nullopt;
  }

  mesh::AxisList Map(const mesh::AxisList& list) const {
    mesh::AxisList out;
    for (const mesh::AxisRef& ref : list) {
      mesh::Append(out, *Map(ref));
    }
    return out;
  }
  mesh::AxisList MapSet(const mesh::AxisList& set) const { return mesh::AsSet(Map(set)); }

  mesh::ShardingId Map(mesh::ShardingId id) {
    if (!id.valid() || tables_.shardings[id].mesh != from_) {
      return id;
    }
    auto [known, inserted] = mapped_.try_emplace(id.index, id);
    if (inserted) {
      mesh::Sharding sharding = tables_.shardings[id];
      sharding.mesh = to_;
      for (mesh::DimSharding& dim : sharding.dims) {
        dim.axes = Map(dim.axes);
      }
      for (mesh::AxisList* set : {&sharding.replicated, &sharding.unreduced, &sharding.reduced, &sharding.varying}) {
        *set = MapSet(*set);
      }
      known->second = tables_.shardings.Intern(sharding);
    }
    return known->second;
  }

  void Rewrite() {
    for (ir::Function& f : module_.functions) {
      if (module_.mesh == from_) {
        f.manual_axes = MapSet(f.manual_axes);
      }
      for (ir::Value& value : f.values) {
        value.sharding = Map(value.sharding);
        ir::Type type = module_.type(value);
        if (type.sharding.valid()) {
          type.sharding = Map(type.sharding);
          value.type = tables_.types.Intern(type);
        }
      }
      for (auto* infos : {&f.arg_info, &f.result_info}) {
        for (ir::BoundaryInfo& info : *infos) {
          info.sharding = Map(info.sharding);
        }
      }
      for (ir::Inst& inst : f.insts) {
        inst.out_sharding = Map(inst.out_sharding);
        RewriteAttrs(inst);
      }
    }
    module_.mesh = module_.mesh == from_ ? to_ : module_.mesh;
  }

  void RewriteAttrs(ir::Inst& inst) {
    if (!inst.attrs.valid()) {
      return;
    }
    std::unique_ptr<ir::AttrsHolder> attrs = tables_.attrs.Copy(inst.attrs);
    Collector fields;
    attrs->Visit(fields);
    bool concerned = fields.mesh == from_ || !fields.axes.empty() ||
                     llvm::any_of(fields.shardings, [&](mesh::ShardingId id) { return id.valid() && Map(id) != id; });
    if (concerned) {
      attrs_mesh_ = fields.mesh.valid() ? fields.mesh : module_.mesh;
      attrs->Visit(*this);
      inst.attrs = tables_.attrs.AddHolder(std::move(attrs));
    }
  }

  ir::Module& module_;
  ir::Tables& tables_;
  mesh::MeshId from_, to_;
  const mesh::Mesh& old_;
  const mesh::Mesh& new_;
  diag::Engine& diags_;
  bool by_name_ = true;
  mesh::MeshId attrs_mesh_;  // that the axes of the attributes being rewritten are of
  std::vector<Use> uses_;
  source::Span counts_devices_;  // of what in the text knows devices by their numbers
  llvm::DenseMap<int32_t, char> seen_;
  llvm::DenseMap<int32_t, mesh::ShardingId> mapped_;
};

}  // namespace

bool CheckDeviceCounts(const ir::Module& module, diag::Engine& diags) {
  bool good = true;
  ForEachSharding(module, [&](mesh::ShardingId id, source::Span span) {
    if (!good || !id.valid()) {
      return;
    }
    const mesh::Mesh& mesh = module.tables->meshes[module.tables->shardings[id].mesh];
    good =
        mesh.maximal ? mesh.device_ids[0] < module.num_devices : mesh.size() == 1 || mesh.size() == module.num_devices;
    if (!good) {
      diags
          .Error(diag::Kind::DeviceCount, span,
                 "the program also uses the mesh " + mesh::Describe(mesh) + ", and now is for " +
                     std::to_string(module.num_devices) + " devices")
          .Help("a specs file may say several meshes, each by the name of the one it stands for");
    }
  });
  return good;
}

std::optional<mesh::MeshId> Remesh(ir::Module& module, mesh::MeshId from, const mesh::Mesh& to, diag::Engine& diags) {
  return Remesher(module, from, to, diags).Run();
}

}  // namespace spmdc::driver
