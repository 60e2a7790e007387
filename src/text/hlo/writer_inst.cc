// One line: what the op's own hook prints, then what every instruction may carry.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/hlo_sharding.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "text/hlo/fields.h"
#include "text/hlo/layout.h"
#include "text/hlo/writer_impl.h"

namespace spmdc::text::hlo {

namespace {

std::optional<llvm::SmallVector<int64_t, 4>> Sorted(std::optional<llvm::SmallVector<int64_t, 4>> list) {
  if (list) {
    llvm::sort(*list);
  }
  return list;
}

// Whether two texts name the same groups, in whichever order.
bool SameGroups(llvm::StringRef a, llvm::StringRef b, int64_t devices) {
  llvm::SmallVector<llvm::SmallVector<int64_t, 8>> groups[2];
  for (auto [text, list] : {std::pair(a, &groups[0]), std::pair(b, &groups[1])}) {
    size_t end = 0;
    if (mesh::ParseReplicaGroups(text, devices, *list, end) || end != text.size()) {
      return false;
    }
    llvm::sort(*list);
  }
  return groups[0] == groups[1];
}

}  // namespace

// What an op's hook writes its attributes with.
class InstPrinter final : public op::HloPrinter {
 public:
  InstPrinter(ModuleWriter& writer, const ir::Function& in, const ir::Inst& of)
      : writer_(writer), function_(in), inst_(of), opcode(op::Def(of.op).hlo_opcode) {}

  const ir::Module& module() const override { return writer_.module; }
  const ir::Function& function() const override { return function_; }
  const ir::Inst& inst() const override { return inst_; }
  void Attr(llvm::StringRef name, std::string value) override {
    attributes += ", ";
    attributes += name;
    attributes += '=';
    attributes += Spelled(name, value);
  }
  void Ints(llvm::StringRef name, llvm::ArrayRef<int64_t> values) override {
    std::string list;
    for (int64_t v : values) {
      list += (list.empty() ? "" : ",") + std::to_string(v);
    }
    Attr(name, "{" + list + "}");
  }
  void Body(llvm::StringRef name, ir::FuncId body) override {
    Attr(name, writer_.Computation(body, &function_, &inst_));
  }
  void Bodies(llvm::StringRef name, llvm::ArrayRef<ir::FuncId> bodies) override {
    std::string list;
    for (ir::FuncId body : bodies) {
      list += (list.empty() ? "" : ", ") + writer_.Computation(body, &function_, &inst_);
    }
    Attr(name, "{" + list + "}");
  }
  void Raw(std::string value) override {
    attributes += ops::WithNamedBodies(value, function_.bodies(inst_),
                                       [&](ir::FuncId body) { return writer_.Computation(body, &function_, &inst_); });
  }
  void Operands(std::string value) override {
    operands = std::move(value);
    has_operands = true;
  }
  void Opcode(std::string value) override {
    own_opcode_ = std::move(value);
    opcode = own_opcode_;
  }
  std::string ReplicaGroups(mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes) override {
    return mesh::ReplicaGroups(writer_.module.tables->meshes[mesh], axes, writer_.options.groups);
  }

 private:
  // The value as the text spelled it, if it still says the same and nobody asks for another form.
  llvm::StringRef Spelled(llvm::StringRef name, llvm::StringRef value) const {
    llvm::StringRef spelled;
    if (name == "replica_groups" && writer_.options.groups == mesh::GroupForm::Auto) {
      spelled = SideText(writer_.module, inst_.side, name);
      return SameGroups(spelled, value, writer_.module.num_devices) ? spelled : value;
    }
    spelled = name == "dimensions" ? SideText(writer_.module, inst_.side, kReducedDims) : spelled;
    return !spelled.empty() && Sorted(IntList(spelled)) == Sorted(IntList(value)) ? spelled : value;
  }

  ModuleWriter& writer_;
  const ir::Function& function_;
  const ir::Inst& inst_;
  std::string own_opcode_;

 public:
  llvm::StringRef opcode;
  std::string attributes;
  std::string operands;
  bool has_operands = false;
};

namespace {

// Appends text in double quotes, as metadata and attributes spell it.
void AppendQuoted(llvm::StringRef text, std::string& out) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '\'') {
      out += '\\';
    }
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string Quoted(llvm::StringRef text) {
  std::string quoted;
  AppendQuoted(text, quoted);
  return quoted;
}

// An op of ours that HLO has as a custom call.
void PrintTarget(InstPrinter& printer, const op::OpDef& def) {
  printer.Opcode("custom-call");
  printer.Attr("custom_call_target", Quoted(def.custom_call));
  llvm::ArrayRef<ir::FuncId> bodies = printer.function().bodies(printer.inst());
  if (!bodies.empty()) {
    printer.Bodies("called_computations", bodies);
  }
}

// Control flow: which attribute names which body.
void PrintBodies(InstPrinter& printer, const op::OpDef& def) {
  llvm::ArrayRef<ir::FuncId> bodies = printer.function().bodies(printer.inst());
  if (def.region == op::Region::Loop) {
    printer.Body("condition", bodies[0]);
    printer.Body("body", bodies[1]);
  } else if (def.region == op::Region::Branch) {
    printer.Bodies("branch_computations", bodies);
  } else if (def.region == op::Region::Call) {
    printer.Body("to_apply", bodies[0]);
  }
}

// `{a = "b", c = "d"}` as MLIR spells a dictionary of strings, in HLO's spelling and without the braces. Values in braces stay.
std::string FrontendAttributes(llvm::StringRef text) {
  llvm::StringRef inside = text.trim();
  inside.consume_front("{");
  inside.consume_back("}");
  std::string out;
  bool in_string = false;
  int depth = 0;
  for (size_t i = 0; i < inside.size(); ++i) {
    char c = inside[i];
    in_string ^= c == '"' && (i == 0 || inside[i - 1] != '\\');
    depth += in_string ? 0 : c == '{' ? 1 : c == '}' ? -1 : 0;
    if (in_string || depth > 0 || c != ' ') {
      out += c;
    }
  }
  return out;
}

// Dims that propagation may refine.
void PrintOpenDims(const ir::Module& module, const ir::Inst& inst, InstPrinter& printer) {
  mesh::ShardingId id = module.attrs<ops::ShardingConstraintAttrs>(inst).sharding;
  if (!id.valid()) {
    return;
  }
  std::string open;
  const mesh::Sharding& sharding = module.tables->shardings[id];
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    if (sharding.dims[d].open) {
      open += (open.empty() ? "" : ",") + std::to_string(d);
    }
  }
  if (!open.empty()) {
    printer.Attr("backend_config", Quoted("unspecified_dims=[" + open + "]"));
  }
}

}  // namespace

void ComputationWriter::WriteMetadata(ir::SourceId id, llvm::StringRef fallback_name, llvm::StringRef others) {
  const ir::SourceInfo* info = id.valid() ? &module_.module.tables->sources[id] : nullptr;
  llvm::StringRef op_name = info == nullptr ? fallback_name : llvm::StringRef(info->op_name);
  bool placed = info != nullptr && !info->file.empty();
  if (op_name.empty() && !placed && others.empty()) {
    return;
  }
  text_ += ", metadata={" + others.str() + (others.empty() || (op_name.empty() && !placed) ? "" : " ");
  if (!op_name.empty()) {
    text_ += "op_name=";
    AppendQuoted(op_name, text_);
  }
  if (info != nullptr && info->frame > 0 && module_.has_stack_tables()) {
    text_ += std::string(op_name.empty() ? "" : " ") + "stack_frame_id=" + std::to_string(info->frame);
  } else if (placed) {
    text_ += op_name.empty() ? "source_file=" : " source_file=";
    AppendQuoted(info->file, text_);
    text_ += " source_line=" + std::to_string(info->line);
  }
  text_ += '}';
}

// Sharding, frontend attributes, metadata, and what a reader kept as text.
void ComputationWriter::WriteTrailer(const ir::Inst& inst) {
  const ir::Module& module = module_.module;
  std::string frontend = inst.cause.valid() ? "is_spmd_generated=\"true\"" : "";
  if (auto direction = inst.op == ir::OpKind::Opaque ? ops::BarrierDirectionOf(module.attrs<ops::OpaqueAttrs>(inst))
                                                     : std::nullopt) {
    frontend += (frontend.empty() ? "" : ",") + std::string("xla.sdy.allowed_direction=\"") +
                std::to_string(static_cast<int>(*direction)) + " : i32\"";
  }
  if (op::Def(inst.op).is_constraint) {
    text_ += Placement(module.attrs<ops::ShardingConstraintAttrs>(inst).sharding, {}, true, frontend);
  } else if (!module.per_device) {
    llvm::SmallVector<mesh::ShardingId, 2> ids;
    llvm::SmallVector<ir::Type, 2> types;
    for (uint32_t i = 0; i < inst.num_results; ++i) {
      ids.push_back(function_.values[function_.result(inst, i)].sharding);
      types.push_back(type(function_.result(inst, i)));
    }
    // What a loop only passes through is in its tuple, too: told of where the results are.
    bool loop = op::Def(inst.op).region == op::Region::Loop &&
                llvm::any_of(ids, [](mesh::ShardingId id) { return id.valid(); });
    for (ir::ValueId v : function_.operands(inst).drop_front(loop ? inst.num_results : inst.num_operands)) {
      const ir::Value& value = function_.values[v];
      bool argument = !value.def.valid() && value.index < function_.arg_info.size();
      ids.push_back(value.sharding.valid() || !argument ? value.sharding : function_.arg_info[value.index].sharding);
      types.push_back(type(v));
    }
    text_ += Placement(ids, types, true, frontend);
  }
  std::string rest;
  if (inst.side.valid()) {
    for (const auto& [name, value] : module.tables->sides[inst.side].entries) {
      if (name == "mhlo.frontend_attributes" || name == "frontend_attributes") {
        frontend += (frontend.empty() ? "" : ",") + FrontendAttributes(value);
      } else if (!llvm::StringRef(name).contains('.') && name != kLayout && name != kOpcode && name != kReducedDims &&
                 name != "replica_groups" && name != kMetadata) {
        rest += ", " + name + "=" + value;
      }
    }
  }
  if (!frontend.empty()) {
    text_ += ", frontend_attributes={";
    text_ += frontend;
    text_ += '}';
  }
  WriteMetadata(inst.source, "", SideText(module, inst.side, kMetadata));
  text_ += rest;
}

void ComputationWriter::WriteHead(bool root, llvm::StringRef name, llvm::StringRef shape, llvm::StringRef opcode) {
  text_ += root ? "  ROOT " : "  ";
  text_ += name;
  text_ += " = ";
  text_ += shape;
  text_ += ' ';
  text_ += opcode;
  text_ += '(';
}

void ComputationWriter::WriteLine(const ir::Inst& inst, llvm::StringRef name, llvm::StringRef shape,
                                  llvm::ArrayRef<llvm::StringRef> operands, bool root) {
  const op::OpDef& def = op::Def(inst.op);
  InstPrinter printer(module_, function_, inst);
  if (!def.custom_call.empty()) {
    PrintTarget(printer, def);
  }
  if (!attributes_.empty()) {
    printer.Raw(std::move(attributes_));
    attributes_.clear();
  } else if (def.print_hlo != nullptr) {
    def.print_hlo(printer);
  } else if (def.is_constraint) {
    printer.Opcode("custom-call");
    printer.Attr("custom_call_target", "\"Sharding\"");
    PrintOpenDims(module_.module, inst, printer);
  } else if (def.hlo_opcode.empty() && def.custom_call.empty()) {
    printer.Opcode("custom-call");
    printer.Attr("custom_call_target", Quoted("spmdc." + ir::Mnemonic(inst.op).str()));
  }
  if (llvm::StringRef opcode = SideText(module_.module, inst.side, kOpcode); !opcode.empty()) {
    printer.Opcode(opcode.str());
  }
  if (printer.attributes.empty()) {
    PrintBodies(printer, def);
  }
  WriteHead(root, name, shape, printer.opcode);
  if (printer.has_operands) {
    text_ += printer.operands;
  } else {
    AppendCounted(operands, text_);
  }
  text_ += ')';
  text_ += printer.attributes;
  WriteTrailer(inst);
  text_ += '\n';
}

}  // namespace spmdc::text::hlo
