// The module: its attributes, meshes, functions, and the locations behind it.
#include "llvm/ADT/STLExtras.h"
#include "mesh/sdy_sharding.h"
#include "ops/custom_call_text.h"
#include "ops/dimension_size.h"
#include "ops/opaque.h"
#include "support/starts_with.h"
#include "text/stablehlo/lexer.h"
#include "text/stablehlo/writer_impl.h"

namespace spmdc::text::stablehlo {

bool NamesFunctions(const ir::Module& module, const ir::Inst& inst) {
  const op::OpDef& def = op::Def(inst.op);
  llvm::StringRef name = op::NameOf(module, inst);
  return def.region == op::Region::Call || !def.custom_call.empty() || name == "custom-call" ||
         EndsWith(name, ".custom_call");
}

ModuleWriter::ModuleWriter(const ir::Module& m) : module(m) {
  if (module.mesh.valid()) {
    MeshSymbol(module.mesh);
  }
}

std::string ModuleWriter::MeshSymbol(mesh::MeshId id) {
  if (meshes_.insert(id)) {
    mesh::Mesh mesh = module.tables->meshes[id];
    mesh.name = mesh_names_.Take(mesh.name.empty() ? "mesh" : mesh.name);
    named_mesh_[id] = std::move(mesh);
  }
  return SymbolText(named_mesh_[id].name);
}

std::string ModuleWriter::ShardingText(mesh::ShardingId id) {
  const mesh::Sharding& sharding = module.tables->shardings[id];
  MeshSymbol(sharding.mesh);
  return mesh::ToShortSdy(named_mesh_[sharding.mesh], sharding);
}

// Every result must have one: those without are open.
std::string ModuleWriter::Shardings(const ir::Function& function, llvm::ArrayRef<ir::ValueId> values) {
  mesh::MeshId mesh;
  for (ir::ValueId v : module.per_device ? llvm::ArrayRef<ir::ValueId>() : values) {
    mesh::ShardingId id = function.values[v].sharding;
    mesh = id.valid() ? module.tables->shardings[id].mesh : mesh;
  }
  if (!mesh.valid()) {
    return "";
  }
  std::string list;
  for (ir::ValueId v : values) {
    mesh::ShardingId id = function.values[v].sharding;
    list += list.empty() ? "" : ", ";
    if (id.valid()) {
      list += ShardingText(id);
      continue;
    }
    MeshSymbol(mesh);
    mesh::Sharding open = mesh::Replicated(mesh, module.type(function, v).rank());
    for (mesh::DimSharding& dim : open.dims) {
      dim.open = true;
    }
    list += mesh::ToShortSdy(named_mesh_[mesh], open);
  }
  return "#sdy.sharding_per_value<[" + list + "]>";
}

namespace {

// `"name stack"("function"("file":3:4))`; a function without a name stack is said by a call site.
std::string LocationText(const ir::SourceInfo& info) {
  std::string text;
  if (!info.file.empty()) {
    text = Quoted(info.file) + ":" + std::to_string(info.line) + ":" + std::to_string(info.column);
    text = info.function.empty() ? text : Quoted(info.function) + "(" + text + ")";
  }
  if (!info.op_name.empty()) {
    text = Quoted(info.op_name) + (text.empty() ? "" : "(" + text + ")");
  } else if (!info.function.empty() && !text.empty()) {
    text = "callsite(" + text + " at unknown)";
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace

// Places that differ in their stack frames alone are one.
std::string ModuleWriter::Location(ir::SourceId id) {
  if (!id.valid()) {
    return "";
  }
  auto [it, fresh] = number_of_source_.try_emplace(id, 0);
  if (fresh) {
    std::string text = LocationText(module.tables->sources[id]);
    auto [known, is_new] = number_of_location_.try_emplace(text, number_of_location_.size() + 1);
    if (is_new) {
      location_lines_ += "#loc" + std::to_string(known->second) + " = loc(" + text + ")\n";
    }
    it->second = known->second;
  }
  return " loc(#loc" + std::to_string(it->second) + ")";
}

std::string ModuleWriter::MeshLines() const {
  std::string lines;
  for (mesh::MeshId id : meshes_) {
    const mesh::Mesh& mesh = named_mesh_.find(id)->second;
    lines += "  sdy.mesh " + SymbolText(mesh.name) + " = " + mesh::ToSdyMesh(mesh) + "\n";
  }
  return lines;
}

// As the text had them; a program of another language says its devices.
std::string ModuleWriter::ModuleAttributes() const {
  std::string list;
  if (module.side.valid()) {
    for (const auto& [name, value] : module.tables->sides[module.side].entries) {
      if (llvm::StringRef(name).contains('.')) {
        list += (list.empty() ? "" : ", ") + name + (value.empty() ? "" : " = " + value);
      }
    }
  }
  if (list.empty() && module.num_devices > 1) {
    list = "mhlo.num_partitions = " + std::to_string(module.num_devices) + " : i32, mhlo.num_replicas = 1 : i32";
  }
  return list.empty() ? "" : " attributes {" + list + "}";
}

// Appends what a function calls, in order, its regions included.
void ModuleWriter::FindCallees(ir::FuncId id, llvm::DenseSet<ir::FuncId>& found) {
  const ir::Function& function = module.functions[id];
  for (const ir::Inst& inst : function.insts) {
    bool named = NamesFunctions(module, inst);
    for (ir::FuncId body : function.bodies(inst)) {
      if (!named) {
        FindCallees(body, found);
      } else if (found.insert(body).second) {
        top_level_.push_back(body);
      }
    }
  }
}

// In an order that only the calls decide, so that a text read again prints in the same: the entry, what it calls, what that
// calls, and so on; then what nobody calls.
void ModuleWriter::OrderFunctions() {
  llvm::DenseSet<ir::FuncId> found;
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      if (!NamesFunctions(module, inst)) {
        found.insert(function.bodies(inst).begin(), function.bodies(inst).end());  // regions stand in their op
      }
    }
  }
  size_t done = 0;
  auto add = [&](ir::FuncId id) {
    if (!found.insert(id).second) {
      return;
    }
    for (top_level_.push_back(id); done < top_level_.size(); ++done) {
      FindCallees(top_level_[done], found);
    }
  };
  add(module.entry);
  for (ir::FuncId id : module.functions.ids()) {
    const ir::Function& function = module.functions[id];
    if (!function.insts.empty() || !function.results.empty()) {
      add(id);
    }
  }
}

// The entry keeps its name; no other function may be called `main` in its place.
void ModuleWriter::NameFunctions() {
  OrderFunctions();
  NameSet names;
  names.Take("main");
  llvm::StringRef entry = module.functions[module.entry].name;
  symbols_[module.entry] = entry == "main" ? "main" : names.Take(entry);
  for (ir::FuncId id : top_level_) {
    if (id != module.entry) {
      symbols_[id] = names.Take(module.functions[id].name);
    }
  }
}

std::string ModuleWriter::Boundary(std::string attributes, const ir::BoundaryInfo& info, mesh::ShardingId sharding) {
  auto add = [&](const std::string& text) { attributes += (attributes.empty() ? "" : ", ") + text; };
  if (info.side.valid()) {
    for (const auto& [name, value] : module.tables->sides[info.side].entries) {
      if (llvm::StringRef(name).contains('.')) {
        add(name + (value.empty() ? "" : " = " + value));
      }
    }
  }
  if (sharding.valid() && !module.per_device) {  // else the types are those of blocks
    add("sdy.sharding = #sdy.sharding" + ShardingText(sharding));
  }
  return attributes.empty() ? "" : " {" + attributes + "}";
}

std::string ModuleWriter::ArgAttributes(const ir::BoundaryInfo& info, mesh::ShardingId sharding) {
  std::string alias = info.alias >= 0 ? "tf.aliasing_output = " + std::to_string(info.alias) + " : i32" : "";
  return Boundary(alias, info, sharding) + (info.name.empty() ? "" : " loc(" + Quoted(info.name) + ")");
}

std::string ModuleWriter::ResultAttributes(const ir::BoundaryInfo& info, mesh::ShardingId sharding) {
  return Boundary(info.name.empty() ? "" : "jax.result_info = " + Quoted(info.name), info, sharding);
}

void ModuleWriter::WriteFunction(ir::FuncId id) {
  const ir::Function& function = module.functions[id];
  NameSet names;
  BlockWriter block(*this, names, id, 4);
  std::string args, results;
  for (size_t i = 0; i < function.args.size(); ++i) {
    const ir::Value& value = function.values[function.args[i]];
    const ir::BoundaryInfo& info = function.arg_info[i];
    args += (i == 0 ? "" : ", ") + block.NameArg(function.args[i]) + ": " + op::MlirType(module.type(value)) +
            ArgAttributes(info, info.sharding.valid() ? info.sharding : value.sharding);
  }
  for (size_t i = 0; i < function.results.size(); ++i) {
    const ir::BoundaryInfo& info = function.result_info[i];
    results += (i == 0 ? "" : ", ") + op::MlirType(module.type(function, function.results[i])) +
               ResultAttributes(info, info.sharding);
  }
  text_ += std::string("  func.func ") + (id == module.entry ? "public " : "private ") + SymbolText(Symbol(id)) + "(" +
           args + ")" + (results.empty() ? "" : " -> (" + results + ")") + " {\n";
  text_ += block.Run("return") + "  }\n";
}

std::string ModuleWriter::Run() {
  NameFunctions();
  for (ir::FuncId id : top_level_) {
    WriteFunction(id);
  }
  std::string name = module.name.empty() ? "" : " " + SymbolText(module.name);
  return "module" + name + ModuleAttributes() + " {\n" + MeshLines() + text_ + "}\n" + location_lines_;
}

std::string Write(const ir::Module& module) { return ModuleWriter(module).Run(); }

bool CheckWritable(const ir::Module& module, diag::Engine& diags) {
  bool good = true;
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      const op::OpDef& def = op::Def(inst.op);
      llvm::StringRef name = op::NameOf(module, inst);
      bool own = def.own_name != nullptr;
      bool custom = inst.op == ir::OpKind::Opaque &&
                    (ops::CustomCallAsStablehlo(module.attrs<ops::OpaqueAttrs>(inst), ops::LayoutsOf(module, inst)) ||
                     ops::DimensionSizeAsStablehlo(module.attrs<ops::OpaqueAttrs>(inst)));
      bool writable = own ? name.contains('.') || custom
                          : !(def.dialect.empty() && def.custom_call.empty()) &&
                                (def.make_attrs == nullptr || def.print_stablehlo != nullptr);
      if (!writable) {
        auto error = diags.Error(diag::Kind::UnsupportedOp, inst.span, name.str() + " cannot be written as StableHLO");
        if (!own) {
          error.Help("--emit=spmd writes it");
        }
        good = false;
      }
    }
  }
  return good;
}

}  // namespace spmdc::text::stablehlo
