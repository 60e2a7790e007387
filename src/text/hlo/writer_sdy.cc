// Shardings in Shardy's form: frontend attributes of instructions, meshes in the header, manual regions as three calls.
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/sdy_carried.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "text/hlo/layout.h"
#include "text/hlo/writer_impl.h"

namespace spmdc::text::hlo {

bool ModuleWriter::NeedsSdy(mesh::ShardingId id, bool open_has_a_word) const {
  if (!id.valid()) {
    return false;
  }
  const mesh::Sharding& sharding = module.tables->shardings[id];
  return !sharding.unreduced.empty() || !sharding.replicated.empty() ||
         llvm::any_of(sharding.dims, [&](const mesh::DimSharding& dim) {
           return (dim.open && !open_has_a_word) || dim.priority != mesh::kNoPriority;
         });
}

bool ModuleWriter::NeedsSdy() const {
  if (module.per_device) {
    return false;
  }
  for (const ir::Function& function : module.functions) {
    auto needs = [&](const ir::BoundaryInfo& info) { return NeedsSdy(info.sharding, false); };
    bool any = llvm::any_of(function.arg_info, needs) || llvm::any_of(function.result_info, needs) ||
               llvm::any_of(function.values, [&](const ir::Value& v) { return NeedsSdy(v.sharding, false); });
    for (const ir::Inst& inst : function.insts) {
      const op::OpDef& def = op::Def(inst.op);
      any = any || def.region == op::Region::Manual ||
            (ops::ShardingGroupOf(module, inst) && SideText(module, inst.side, kOpcode) != kShardAs) ||
            (def.is_constraint && NeedsSdy(module.attrs<ops::ShardingConstraintAttrs>(inst).sharding, true));
    }
    if (any) {
      return true;
    }
  }
  return false;
}

// A call that puts its operand in a group of values that are sharded alike.
void ComputationWriter::WriteGroup(const ir::Inst& inst, int64_t group) {
  ir::ValueId operand = function_.operands(inst)[0];
  bool tiles = SideText(module_.module, inst.side, kOpcode) == kShardAs;
  WriteHead(false, TakeName("sharding_group"), tiles ? ShapeOf(operand) : "()", "custom-call");
  text_ += NameOf(operand).str() + "), custom_call_target=\"" + (tiles ? "Sharding" : "xla.sdy.ShardingGroup") +
           "\", custom_call_has_side_effect=true, " +
           (tiles ? "sharding={unknown shard_as " + std::to_string(group) + "}"
                  : "frontend_attributes={xla.sdy.sharding_group_id=\"" + std::to_string(group) + " : i64\"}");
  WriteMetadata(inst.source, "");
  text_ += '\n';
}

const mesh::Mesh& ModuleWriter::NamedMesh(mesh::MeshId id) {
  auto it = named_meshes_.find(id);
  if (it == named_meshes_.end()) {
    mesh::Mesh mesh = module.tables->meshes[id];
    mesh.name = mesh_names_.Take(mesh.name.empty() ? "mesh" : mesh.name).str();
    it = named_meshes_.insert({id, std::move(mesh)}).first;
  }
  return it->second;
}

std::string ModuleWriter::SdyMeshes() const {
  if (named_meshes_.empty()) {
    return "";
  }
  std::map<std::string, std::string> text_of_name;  // in the order of an MLIR dictionary
  for (const auto& [id, mesh] : named_meshes_) {
    text_of_name[mesh.name] = mesh::ToSdyMesh(mesh);
  }
  llvm::StringRef kept = SideText(module, module.side, kMeshes);
  for (mesh::Mesh mesh; !mesh::TakeSdyMesh(kept, mesh) && !mesh.name.empty(); mesh = {}) {
    text_of_name.try_emplace(mesh.name, mesh::ToSdyMesh(mesh));
  }
  std::string list;
  for (const auto& [name, mesh] : text_of_name) {
    list += (list.empty() ? "" : ", ") + name + " = #sdy.mesh" + mesh;
  }
  return list.empty() ? "" : ", frontend_attributes={xla.sdy.meshes={" + list + "}}";
}

namespace {

// What stands in a string that is itself in quotes.
std::string Escaped(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    escaped += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return escaped;
}

}  // namespace

std::string ModuleWriter::SdyAttribute(llvm::ArrayRef<mesh::ShardingId> ids, llvm::ArrayRef<ir::Type> types,
                                       bool per_value, llvm::StringRef key) {
  auto placed = llvm::find_if(ids, [](mesh::ShardingId id) { return id.valid(); });
  if (placed == ids.end()) {
    return "";
  }
  std::string list;
  for (size_t i = 0; i < ids.size(); ++i) {
    mesh::Sharding sharding;
    if (ids[i].valid()) {
      sharding = module.tables->shardings[ids[i]];
    } else {
      sharding = mesh::Replicated(module.tables->shardings[*placed].mesh, types[i].rank());
      for (mesh::DimSharding& dim : sharding.dims) {
        dim.open = true;
      }
    }
    list += (i == 0 ? "" : ", ") + mesh::ToShortSdy(NamedMesh(sharding.mesh), sharding);
  }
  std::string whole = per_value ? "#sdy.sharding_per_value<[" + list + "]>" : "#sdy.sharding" + list;
  return "xla.sdy." + key.str() + "=\"" + Escaped(whole) + "\"";
}

std::string ComputationWriter::Placement(llvm::ArrayRef<mesh::ShardingId> ids, llvm::ArrayRef<ir::Type> types,
                                         bool per_value, std::string& frontend) const {
  if (module_.uses_sdy()) {
    std::string text = module_.SdyAttribute(ids, types, per_value);
    frontend += (frontend.empty() || text.empty() ? "" : ",") + text;
  }
  if (!module_.uses_tiles()) {
    return "";
  }
  std::string list;
  for (size_t i = 0; i < ids.size(); ++i) {
    std::string one = module_.ShardingText(ids[i], function_.manual_axes);
    if (one.empty()) {
      return "";
    }
    list += (i == 0 ? "" : ", ") + one;
  }
  return list.empty() ? "" : ", sharding=" + (ids.size() == 1 ? list : "{" + list + "}");
}

llvm::SmallVector<llvm::StringRef, 4> ComputationWriter::WriteSplit(llvm::StringRef name,
                                                                    llvm::ArrayRef<ir::Type> types,
                                                                    llvm::StringRef opcode,
                                                                    llvm::ArrayRef<llvm::StringRef> operands,
                                                                    llvm::StringRef text) {
  WriteHead(false, name, module_.ShapeOf(types), opcode);
  text_ += llvm::join(operands, ", ") + ")" + text.str() + "\n";
  if (types.size() == 1) {
    return {name};
  }
  llvm::SmallVector<llvm::StringRef, 4> elements;
  for (size_t i = 0; i < types.size(); ++i) {
    elements.push_back(TakeName("get-tuple-element"));
    WriteHead(false, elements.back(), module_.ShapeOf(types[i]), "get-tuple-element");
    text_ += name.str() + "), index=" + std::to_string(i) + "\n";
  }
  return elements;
}

void ComputationWriter::WriteManual(const ir::Inst& inst) {
  const ir::Module& program = module_.module;
  const auto& attrs = program.attrs<ops::ManualComputationAttrs>(inst);
  ir::FuncId body_id = function_.bodies(inst)[0];
  const ir::Function& body = program.functions[body_id];
  llvm::SmallVector<ir::Type, 4> inside, made;
  for (ir::ValueId v : body.args) {
    inside.push_back(program.type(body, v));
  }
  for (ir::ValueId v : body.results) {
    made.push_back(program.type(body, v));
  }
  llvm::SmallVector<ir::ValueId, 4> results;
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    results.push_back(function_.result(inst, i));
  }
  llvm::SmallVector<ir::Type, 4> outside = TypesOf(results);
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (ir::ValueId v : function_.operands(inst)) {
    names.push_back(NameOf(v));
  }
  std::string axes;
  for (const mesh::AxisRef& axis : attrs.manual_axes) {
    const std::string& name = program.tables->meshes[attrs.mesh].axes[static_cast<size_t>(axis.axis)].name;
    axes += (axes.empty() ? "" : ", ") + mesh::QuotedName(name);
  }
  axes = "xla.sdy.manual_axes=\"" + Escaped("#sdy<manual_axes{" + axes + "}>") + "\"";
  auto call = [](llvm::StringRef target, const std::string& attributes) {
    return ", custom_call_target=\"xla.sdy." + target.str() +
           "\", custom_call_has_side_effect=true, frontend_attributes={" + attributes + "}";
  };
  auto joined = [](const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + "," + b; };
  if (!names.empty()) {
    std::string in = module_.SdyAttribute(attrs.in_shardings, {}, true, "in_shardings");
    names =
        WriteSplit(TakeName("manual.in"), inside, "custom-call", names, call("GlobalToLocalShape", joined(in, axes)));
  }
  std::string to_apply = module_.Computation(body_id, &function_, &inst);
  names = WriteSplit(TakeName("manual"), made, "call", names,
                     ", to_apply=" + to_apply + ", frontend_attributes={inlineable=\"false\"}");
  std::string out = module_.SdyAttribute(attrs.out_shardings, {}, true, "out_shardings");
  bool single = results.size() == 1;
  llvm::StringRef name = single ? NameOf(results[0]) : TakeName(SharedBase(inst));
  WriteHead(single && IsRootValue(results[0]), name, module_.ShapeOf(outside, !single), "custom-call");
  text_ += llvm::join(names, ", ") + ")" + call("LocalToGlobalShape", joined(axes, out));
  WriteMetadata(inst.source, "");
  text_ += "\n";
  for (size_t i = 0; i < results.size() && !single; ++i) {
    if (Used(results[i])) {
      WriteElement(results[i], name, i);
    }
  }
}

// A result behind the call that says where it is wanted.
llvm::StringRef ComputationWriter::WriteWanted(size_t result) {
  ir::ValueId v = function_.results[result];
  std::string sharding = module_.SdyAttribute(function_.result_info[result].sharding, {}, true);
  if (sharding.empty()) {
    return NameOf(v);
  }
  return WriteHelper("custom-call", type(v), NameOf(v),
                     ", custom_call_target=\"xla.sdy.FuncResultSharding\", custom_call_has_side_effect=true, "
                     "frontend_attributes={" +
                         sharding + "}");
}

}  // namespace spmdc::text::hlo
