// The module: header, computations in order of use, the entry last.
#include "ir/donor.h"
#include "llvm/ADT/StringExtras.h"
#include "op/eval.h"
#include "ops/custom_call_text.h"
#include "ops/dimension_size.h"
#include "ops/opaque.h"
#include "support/starts_with.h"
#include "text/hlo/expand.h"
#include "text/hlo/layout.h"
#include "text/hlo/writer_impl.h"

namespace spmdc::text::hlo {
namespace {

// Whether the text had shardings in both forms, and no manual region: tile lists have no word for those.
bool HasBothForms(const ir::Module& module) {
  return !SideText(module, module.side, kBothForms).empty() &&
         llvm::none_of(module.functions, [](const ir::Function& function) {
           return llvm::any_of(function.insts,
                               [](const ir::Inst& inst) { return op::Def(inst.op).region == op::Region::Manual; });
         });
}

}  // namespace

ModuleWriter::ModuleWriter(const ir::Module& m, const WriteOptions& o)
    : module(m),
      options(o),
      uses_sdy_(NeedsSdy()),
      both_forms_(!m.per_device && HasBothForms(m)),
      stack_tables_(SideText(m, m.side, kStackTables)),
      tuple_of_one_(m.functions[m.entry].results.size() == 1 && !SideText(m, m.side, kTupleOfOne).empty()) {}

llvm::StringRef ModuleWriter::ShapeOf(ir::TypeId type) {
  size_t at = static_cast<size_t>(type.index);
  if (at >= shape_of_type_.size()) {
    shape_of_type_.resize(module.tables->types.size());
  }
  llvm::StringRef& shape = shape_of_type_[at];
  if (shape.empty()) {
    shape = Keep(ShapeOf(module.tables->types[type]));
  }
  return shape;
}

std::string ModuleWriter::ShapeOf(const ir::Type& type, llvm::StringRef layout) const {
  std::string shape = tensor::HloName(type.dtype).str() + "[";
  for (size_t d = 0; d < type.rank(); ++d) {
    bool bounded = d < type.bounded.size() && type.bounded[d] != 0;
    shape += (d == 0 ? "" : ",") + std::string(bounded ? "<=" : "") + std::to_string(type.dims[d]);
  }
  return shape + "]" + (layout.empty() ? UsualLayout(type.rank()) : layout.str());
}

std::string ModuleWriter::ShapeOf(llvm::ArrayRef<ir::Type> types, bool always_tuple) const {
  llvm::SmallVector<std::string, 4> shapes;
  for (const ir::Type& type : types) {
    shapes.push_back(ShapeOf(type));
  }
  return shapes.size() == 1 && !always_tuple ? shapes[0] : TupleShape(shapes);
}

std::string TupleShape(llvm::ArrayRef<std::string> shapes) {
  std::string shape = "(";
  AppendCounted(shapes, shape);
  return shape + ")";
}

std::string ModuleWriter::ShardingText(mesh::ShardingId id, llvm::ArrayRef<mesh::AxisRef> manual) const {
  if (!id.valid()) {
    return "";
  }
  const mesh::Sharding& sharding = module.tables->shardings[id];
  return mesh::ToHlo(module.tables->meshes[sharding.mesh], sharding, manual);
}

// `{ {0}: (1, {}, may-alias) }`
std::string ModuleWriter::Aliases(const ir::Function& entry) const {
  std::string list;
  for (size_t i = 0; i < entry.arg_info.size(); ++i) {
    int64_t result = entry.arg_info[i].alias;
    if (result < 0 || result >= static_cast<int64_t>(entry.results.size()) ||
        module.type(entry, entry.args[i]) != module.type(entry, entry.results[static_cast<size_t>(result)])) {
      continue;
    }
    std::string element = entry.results.size() == 1 && !tuple_of_one_ ? "" : std::to_string(result);
    list += (list.empty() ? " {" : ", {") + element + "}: (" + std::to_string(i) + ", {}, " +
            (SideText(module, entry.arg_info[i].side, kMustAlias).empty() ? "may" : "must") + "-alias)";
  }
  return list.empty() ? "" : ", input_output_alias={" + list + " }";
}

bool AnyResultIsWanted(const ir::Function& function) {
  return llvm::any_of(function.result_info, [](const ir::BoundaryInfo& info) { return info.sharding.valid(); });
}

// `allow_spmd_sharding_propagation_to_output={true,false}`: the root's sharding is the results' too, so that those which are
// free are said to be, where their values have one.
std::string ModuleWriter::FreeResults(const ir::Function& entry) const {
  bool told = false;
  bool among_wanted = entry.results.size() > 1 && !uses_sdy() && AnyResultIsWanted(entry);
  std::string flags;
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const ir::Value& value = entry.values[entry.results[i]];
    bool free = !entry.result_info[i].sharding.valid();
    bool constrained = value.def.valid() && op::Def(entry.insts[value.def].op).is_constraint;
    told |= free && (value.sharding.valid() || among_wanted || (constrained && entry.results.size() == 1));
    flags += (i == 0 ? "" : ",") + std::string(free ? "true" : "false");
  }
  return module.per_device || !told ? "" : ", allow_spmd_sharding_propagation_to_output={" + flags + "}";
}

// What the text's header said, as long as no stage has decided anything.
std::string ModuleWriter::KeptHeader(const ir::Function& entry) const {
  auto decided = [&](ir::ValueId v) { return entry.values[v].shard_of.value.valid(); };
  if (module.origins.size() != 0 || llvm::any_of(entry.args, decided)) {
    return FreeResults(entry);
  }
  std::string kept;
  for (llvm::StringRef name : kKeptOfHeader) {
    llvm::StringRef value = SideText(module, module.side, name);
    kept += value.empty() ? "" : ", " + name.str() + "=" + value.str();
  }
  return llvm::StringRef(kept).contains("to_output") ? kept : kept + FreeResults(entry);
}

// `buffer_donor={ (0, {}), (3, {}) }`
std::string ModuleWriter::Donors(const ir::Function& entry) const {
  std::string list;
  for (size_t i = 0; i < entry.arg_info.size(); ++i) {
    if (ir::IsDonor(module, entry.arg_info[i])) {
      list += (list.empty() ? " (" : ", (") + std::to_string(i) + ", {})";
    }
  }
  return list.empty() ? "" : ", buffer_donor={" + list + " }";
}

std::string ModuleWriter::Header(llvm::StringRef entry_name) const {
  const ir::Function& entry = module.functions[module.entry];
  std::string name = Spelling(module.name.empty() ? entry_name : llvm::StringRef(module.name));
  auto shapes_of = [&](llvm::ArrayRef<ir::ValueId> values, llvm::ArrayRef<ir::BoundaryInfo> infos) {
    llvm::SmallVector<std::string, 4> shapes;
    for (size_t i = 0; i < values.size(); ++i) {
      llvm::StringRef wanted = SideText(module, infos[i].side, kEntryLayout);
      bool here = !wanted.empty() && !entry.values[values[i]].shard_of.value.valid();
      shapes.push_back(ShapeOf(module.type(entry, values[i]), here ? wanted : LayoutOf(module, entry, values[i])));
    }
    return shapes;
  };
  auto results = shapes_of(entry.results, entry.result_info);
  std::string header = "HloModule " + name + Aliases(entry) + Donors(entry) + ", entry_computation_layout={" +
                       TupleShape(shapes_of(entry.args, entry.arg_info)) + "->" +
                       (results.size() == 1 && !tuple_of_one_ ? results[0] : TupleShape(results)) + "}";
  if (module.num_devices > 1) {
    header += ", num_partitions=" + std::to_string(module.num_devices);
  }
  std::string tables = stack_tables_.empty() ? "" : stack_tables_.str() + "\n\n";
  return header + KeptHeader(entry) + SdyMeshes() + "\n\n" + tables;
}

std::string ModuleWriter::MonoidText(ir::FuncId id, std::string& name) const {
  const ir::Function& body = module.functions[id];
  if (body.args.size() != 2 || body.results.size() != 1 || body.insts.size() != 1) {
    return "";
  }
  mesh::Monoid monoid = op::RecognizeMonoid(module, id, 0);
  if (monoid == mesh::Monoid::None) {
    return "";
  }
  std::string opcode = op::Def(op::MonoidOp(monoid)).hlo_opcode.str();
  std::string shape = ShapeOf(module.type(body, body.args[0]));
  name = opcode + "." + tensor::HloName(module.type(body, body.args[0]).dtype).str();
  return "  %x = " + shape + " parameter(0)\n  %y = " + shape + " parameter(1)\n  ROOT %" + Spelling(opcode) + " = " +
         shape + " " + opcode + "(%x, %y)\n";
}

std::string ModuleWriter::Computation(ir::FuncId id, const ir::Function* user_function, const ir::Inst* user) {
  auto known = name_of_function_.find(id);
  if (known != name_of_function_.end()) {
    return known->second;
  }
  op::Region region = user == nullptr ? op::Region::Call : op::Def(user->op).region;
  const ir::Function& function = module.functions[id];
  bool is_entry = user == nullptr;
  // XLA knows the body of a manual region by its name.
  bool manual = region == op::Region::Manual;
  std::string name = manual ? "xla.sdy.manual_computation_body" : function.name;
  bool scalar_function = region == op::Region::Apply || region == op::Region::None;
  std::string body = scalar_function ? MonoidText(id, name) : "";
  if (body.empty()) {
    bool tupled = region == op::Region::Loop || region == op::Region::Branch;
    ComputationWriter writer(*this, id, tupled ? Edge::Tupled : Edge::Plain, is_entry);
    bool is_step = region == op::Region::Loop && user_function->bodies(*user).back() == id;
    if (is_step) {
      writer.PassThrough(function.results.size());
    }
    body = writer.Run();
  }
  if (scalar_function) {
    auto [it, fresh] = name_of_text_.try_emplace(body);
    if (!fresh) {
      return name_of_function_[id] = it->second;
    }
    it->second = name = computation_names.Take(name).str();
  } else {
    if (is_entry && module.per_device && !EndsWith(name, "_spmd")) {
      name += "_spmd";
    }
    name = computation_names.Take(name).str();
  }
  for (llvm::StringRef part :
       {llvm::StringRef(is_entry ? "ENTRY " : ""), llvm::StringRef(name), llvm::StringRef(" {\n"),
        llvm::StringRef(body), llvm::StringRef(is_entry ? "}\n" : "}\n\n")}) {
    text += part;
  }
  return name_of_function_[id] = name;
}

std::string ModuleWriter::Run() {
  std::string entry = Computation(module.entry);
  text.insert(0, Header(entry));
  return std::move(text);
}

std::string Write(const ir::Module& module, const WriteOptions& options) {
  return HasWrittenOut(module) ? ModuleWriter(WriteOut(module), options).Run() : ModuleWriter(module, options).Run();
}

namespace {

// Whether HLO has a word for all that an unknown op of StableHLO says.
bool HasWord(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  const auto& attrs = module.attrs<ops::OpaqueAttrs>(inst);
  llvm::SmallVector<ir::Type, 4> operands;
  for (ir::ValueId v : function.operands(inst)) {
    operands.push_back(module.type(function, v));
  }
  return ops::CustomCallAsHlo(attrs, operands) || ops::DimensionSizeAsHlo(attrs) || ops::BarrierDirectionOf(attrs) ||
         ops::ShardingGroupOf(module, inst);
}

}  // namespace

bool CheckWritable(const ir::Module& module, diag::Engine& diags) {
  bool good = true;
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      const op::OpDef& def = op::Def(inst.op);
      bool foreign = inst.op == ir::OpKind::Opaque &&
                     llvm::StringRef(module.attrs<ops::OpaqueAttrs>(inst).name).contains('.') &&
                     !HasWord(module, function, inst);
      bool manual = def.region == op::Region::Manual && !module.per_device;
      bool writable = !def.hlo_opcode.empty() || !def.custom_call.empty() || def.is_constraint || manual ||
                      IsWrittenOut(module, inst);
      if (!writable || foreign) {
        auto error = diags.Error(diag::Kind::UnsupportedOp, inst.span,
                                 (foreign ? module.attrs<ops::OpaqueAttrs>(inst).name : ir::Mnemonic(inst.op).str()) +
                                     " cannot be written as HLO");
        if (!foreign) {
          error.Help("--emit=spmd writes it");
        }
        good = false;
      }
    }
  }
  return good;
}

}  // namespace spmdc::text::hlo
