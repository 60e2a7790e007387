// One computation: parameters, instructions with the tuples that HLO wants around them, the root.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/opaque.h"
#include "ops/shape.h"
#include "support/starts_with.h"
#include "text/hlo/layout.h"
#include "text/hlo/writer_impl.h"

namespace spmdc::text::hlo {

ComputationWriter::ComputationWriter(ModuleWriter& module, ir::FuncId id, Edge edge, bool is_entry)
    : module_(module),
      id_(id),
      function_(module.module.functions[id]),
      edge_(edge),
      is_entry_(is_entry),
      names_("%", module.module.functions[id].values.size()) {}

std::string ComputationWriter::Run() {
  constexpr size_t kUsualLine = 160;
  text_.reserve(kUsualLine * function_.insts.size());
  FindUsed();
  name_of_value_.resize(function_.values.size());
  // Values have the first right to their names; what the writer adds comes after them.
  for (ir::ValueId v : function_.values.ids()) {
    bool printed = Used(v) || function_.values[v].def.valid() || edge_ == Edge::Plain;
    if (printed) {
      const ir::Value& value = function_.values[v];
      bool element = value.def.valid() && function_.insts[value.def].num_results > 1;
      if (Used(v) || !element) {
        name_of_value_[static_cast<size_t>(v.index)] = TakeName(value.name);
      }
    }
  }
  WriteParameters();
  for (const ir::Inst& inst : function_.insts) {
    WriteInst(inst);
  }
  WriteRoot();
  return std::move(text_);
}

// What operands and results name: arguments and elements that nobody names are not taken out of their tuples.
void ComputationWriter::FindUsed() {
  used_.resize(function_.values.size());
  auto use = [&](ir::ValueId v) { used_[static_cast<size_t>(v.index)] = true; };
  llvm::for_each(function_.operand_pool, use);
  llvm::for_each(function_.results, use);
  for (size_t i = pass_through_; i < function_.args.size(); ++i) {
    use(function_.args[i]);
  }
  root_copy_ = RootIsCopy();
}

// In a global program the root's sharding is the result's. Where the result is wanted otherwise than its value is, the
// root is a copy.
bool ComputationWriter::RootIsCopy() const {
  if (!is_entry_ || module_.module.per_device || function_.results.size() != 1 || module_.returns_tuple_of_one()) {
    return false;
  }
  const ir::Value& value = function_.values[function_.results[0]];
  mesh::ShardingId wanted = function_.result_info[0].sharding;
  return wanted.valid() && (wanted != value.sharding || !value.def.valid() || module_.uses_sdy());
}

llvm::SmallVector<ir::Type, 4> ComputationWriter::TypesOf(llvm::ArrayRef<ir::ValueId> values) const {
  llvm::SmallVector<ir::Type, 4> types;
  for (ir::ValueId v : values) {
    types.push_back(type(v));
  }
  return types;
}

llvm::StringRef ComputationWriter::ShapeOf(ir::ValueId v) const {
  llvm::StringRef layout = LayoutOf(module_.module, function_, v);
  return layout.empty() ? module_.ShapeOf(function_.values[v].type) : module_.Keep(module_.ShapeOf(type(v), layout));
}

std::string ComputationWriter::TupleOf(llvm::ArrayRef<ir::ValueId> values, bool as_results) const {
  llvm::SmallVector<std::string, 4> shapes;
  for (size_t i = 0; i < values.size(); ++i) {
    llvm::StringRef own = as_results && i < function_.result_info.size()
                              ? SideText(module_.module, function_.result_info[i].side, kLayout)
                              : llvm::StringRef();
    bool kept = !own.empty() && !function_.values[values[i]].shard_of.value.valid();
    shapes.push_back(kept ? module_.ShapeOf(type(values[i]), own) : ShapeOf(values[i]).str());
  }
  return TupleShape(shapes);
}

// The value that is the root itself: the only result of a computation that returns no tuple.
bool ComputationWriter::IsRootValue(ir::ValueId value) const {
  bool tuple = function_.results.size() != 1 || pass_through_ != SIZE_MAX || root_copy_ ||
               (is_entry_ && module_.returns_tuple_of_one());
  return !tuple && function_.results[0] == value;
}

void ComputationWriter::WriteParameters() {
  if (edge_ == Edge::Plain) {
    for (size_t i = 0; i < function_.args.size(); ++i) {
      WriteParameter(i);
    }
    return;
  }
  llvm::StringRef param = TakeName("param");
  WriteHead(false, param, TupleOf(function_.args), "parameter");
  text_ += "0)\n";
  for (size_t i = 0; i < function_.args.size(); ++i) {
    if (Used(function_.args[i])) {
      WriteElement(function_.args[i], param, i);
    }
  }
}

void ComputationWriter::WriteParameter(size_t i) {
  ir::ValueId v = function_.args[i];
  const ir::BoundaryInfo& info = function_.arg_info[i];
  WriteHead(IsRootValue(v), NameOf(v), ShapeOf(v), "parameter");
  text_ += std::to_string(i) + ")";
  std::string frontend;
  if (is_entry_ || !module_.module.per_device) {
    text_ += Placement(info.sharding.valid() ? info.sharding : function_.values[v].sharding, type(v), false, frontend);
  }
  llvm::StringRef others = SideText(module_.module, info.side, "frontend_attributes");
  if (others.consume_front("{") && others.consume_back("}")) {
    frontend += (frontend.empty() ? "" : ",") + others.str();
  }
  text_ += frontend.empty() ? "" : ", frontend_attributes={" + frontend + "}";
  WriteMetadata({}, info.name);
  text_ += '\n';
}

void ComputationWriter::WriteElement(ir::ValueId value, llvm::StringRef of, size_t index) {
  WriteHead(IsRootValue(value), NameOf(value), ShapeOf(value), "get-tuple-element");
  text_ += of;
  text_ += "), index=" + std::to_string(index);
  bool wanted = is_entry_ && IsRootValue(value) && !module_.module.per_device && module_.uses_tiles();
  std::string sharding = wanted ? module_.ShardingText(function_.result_info[0].sharding, {}) : "";
  text_ += sharding.empty() ? "\n" : ", sharding=" + sharding + "\n";
}

llvm::StringRef ComputationWriter::WriteTuple(llvm::ArrayRef<llvm::StringRef> names, llvm::ArrayRef<ir::ValueId> values,
                                              bool root) {
  llvm::StringRef name = TakeName("tuple");
  WriteHead(root, name, TupleOf(values, root), "tuple");
  AppendCounted(names, text_);
  text_ += root ? ")" : ")\n";
  return name;
}

// The root is on its value's own line, or a tuple, or a copy.
void ComputationWriter::WriteRoot() {
  bool global = !module_.module.per_device;
  if (root_copy_ && module_.uses_sdy()) {
    ir::ValueId v = function_.results[0];
    mesh::ShardingId wanted = function_.result_info[0].sharding;
    std::string shardings = module_.SdyAttribute(wanted, {}, true);
    llvm::StringRef shape = module_.ShapeOf(function_.values[v].type), call = TakeName("custom-call");
    WriteHead(!module_.uses_tiles(), call, shape, "custom-call");
    text_ += NameOf(v).str() +
             "), custom_call_target=\"xla.sdy.FuncResultSharding\", custom_call_has_side_effect=true, "
             "frontend_attributes={" +
             shardings + "}\n";
    if (module_.uses_tiles()) {
      // As JAX has it: the tile list stands at the root, which is an element of a tuple of one.
      llvm::StringRef tuple = TakeName("tuple");
      WriteHead(false, tuple, TupleShape({shape.str()}), "tuple");
      text_ += call.str() + ")\n";
      WriteHead(true, TakeName("get-tuple-element"), shape, "get-tuple-element");
      text_ += tuple.str() + "), index=0, sharding=" + module_.ShardingText(wanted, {}) + "\n";
    }
    return;
  }
  if (root_copy_) {
    ir::ValueId v = function_.results[0];
    WriteHead(true, TakeName("copy"), ShapeOf(v), "copy");
    text_ += NameOf(v).str() + "), sharding=" + module_.ShardingText(function_.result_info[0].sharding, {}) + "\n";
    return;
  }
  if (function_.results.size() == 1 && pass_through_ == SIZE_MAX && !(is_entry_ && module_.returns_tuple_of_one())) {
    return;
  }
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::SmallVector<ir::ValueId, 4> values(function_.results.begin(), function_.results.end());
  for (size_t i = pass_through_; i < function_.args.size(); ++i) {
    values.push_back(function_.args[i]);
  }
  bool wanted = is_entry_ && global && module_.uses_sdy();
  for (size_t i = 0; i < values.size(); ++i) {
    names.push_back(wanted ? WriteWanted(i) : NameOf(values[i]));
  }
  WriteTuple(names, values, true);
  if (is_entry_ && global && module_.uses_tiles()) {
    std::string list;
    // Beside Shardy's form the list is of results that are wanted so: it has no word for free ones but the header's.
    bool told = AnyResultIsWanted(function_) && (!module_.uses_sdy() || module_.results_have_both_forms());
    bool all = true;
    for (size_t i = 0; i < function_.results.size(); ++i) {
      mesh::ShardingId id = function_.result_info[i].sharding;
      id = id.valid() || module_.uses_sdy() ? id : function_.values[function_.results[i]].sharding;
      std::string one = module_.ShardingText(id, {});
      all = all && !one.empty();
      list += (i == 0 ? "" : ", ") + (one.empty() ? "{replicated}" : one);  // the header says which are free
    }
    text_ += told || (all && !list.empty()) ? ", sharding={" + list + "}" : "";
  }
  text_ += "\n";
}

llvm::StringRef ComputationWriter::WriteHelper(llvm::StringRef opcode, const ir::Type& type, llvm::StringRef operand,
                                               llvm::StringRef attributes) {
  llvm::StringRef name = TakeName(opcode);
  WriteHead(false, name, module_.ShapeOf(type), opcode);
  text_ += operand.str() + ")" + attributes.str() + "\n";
  return name;
}

namespace {

std::string Braced(llvm::ArrayRef<int64_t> values) {
  std::string list = "{";
  for (size_t i = 0; i < values.size(); ++i) {
    list += (i == 0 ? "" : ",") + std::to_string(values[i]);
  }
  return list + "}";
}

}  // namespace

// HLO's broadcast stretches no dim: a dim of size 1 that becomes larger is reshaped away first. Elementwise ops of HLO take
// arrays of one shape; here some take a scalar for all elements.
llvm::SmallVector<llvm::StringRef, 4> ComputationWriter::PrepareOperands(const ir::Inst& inst) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  const op::OpDef& def = op::Def(inst.op);
  if (inst.op == ir::OpKind::BroadcastInDim) {
    ir::ValueId operand = function_.operands(inst)[0];
    const ir::Type& from = type(operand);
    const ir::Type& to = type(function_.result(inst));
    const tensor::Dims& broadcast_dims = module_.module.attrs<ops::BroadcastInDimAttrs>(inst).broadcast_dims;
    ir::Type kept = from;
    kept.dims.clear();
    tensor::Dims kept_dims;
    for (size_t d = 0; d < from.rank(); ++d) {
      if (from.dims[d] == to.dims[static_cast<size_t>(broadcast_dims[d])]) {
        kept.dims.push_back(from.dims[d]);
        kept_dims.push_back(broadcast_dims[d]);
      }
    }
    if (kept.rank() == from.rank()) {
      return {NameOf(operand)};
    }
    attributes_ = ", dimensions=" + Braced(kept_dims);
    return {WriteHelper("reshape", kept, NameOf(operand), "")};
  }
  for (ir::ValueId v : function_.operands(inst)) {
    llvm::StringRef name = NameOf(v);
    if (def.elementwise && inst.num_results == 1 && type(v).is_array()) {
      const ir::Type& result = type(function_.result(inst));
      if (type(v).rank() == 0 && result.rank() > 0) {
        ir::Type wide = result;
        wide.dtype = type(v).dtype;
        name = WriteHelper("broadcast", wide, name, ", dimensions={}");
      }
    }
    names.push_back(name);
  }
  return names;
}

void ComputationWriter::WriteInst(const ir::Inst& inst) {
  op::Region region = op::Def(inst.op).region;
  if (region == op::Region::Loop || region == op::Region::Manual) {
    region == op::Region::Loop ? WriteWhile(inst) : WriteManual(inst);
    return;
  }
  if (std::optional<int64_t> group = ops::ShardingGroupOf(module_.module, inst)) {
    WriteGroup(inst, *group);
    return;
  }
  if (WriteNested(inst)) {
    return;
  }
  llvm::SmallVector<llvm::StringRef, 4> names = PrepareOperands(inst);
  llvm::ArrayRef<ir::ValueId> operands = function_.operands(inst);
  if (region == op::Region::Branch) {
    llvm::StringRef tuple =
        WriteTuple(llvm::ArrayRef<llvm::StringRef>(names).drop_front(), operands.drop_front(), false);
    names.resize(1);
    names.append(inst.num_bodies, tuple);
  } else if (op::Def(inst.op).data_flow && operands.size() != 1) {
    names = {WriteTuple(names, operands, false)};
    WriteSeveral(inst, names);
    return;
  }
  if (inst.num_results == 1) {
    WriteSingle(inst, names);
  } else {
    WriteSeveral(inst, names);
  }
}

void ComputationWriter::WriteSingle(const ir::Inst& inst, llvm::ArrayRef<llvm::StringRef> operands) {
  ir::ValueId result = function_.result(inst);
  WriteLine(inst, NameOf(result), ShapeOf(result), operands, IsRootValue(result));
}

// `B` where the results are called `B.0`, `B.1`, ..., else the opcode.
std::string ComputationWriter::SharedBase(const ir::Inst& inst) const {
  bool opaque = inst.op == ir::OpKind::Opaque;
  std::string opcode = opaque ? module_.module.attrs<ops::OpaqueAttrs>(inst).name : op::Def(inst.op).hlo_opcode.str();
  opcode = opcode == "stablehlo.custom_call" ? "custom-call" : opcode;
  std::string base = opcode;
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    std::string name = Spelling(function_.values[function_.result(inst, i)].name);
    std::string ending = "." + std::to_string(i);
    if (!EndsWith(name, ending)) {
      return opcode;
    }
    std::string stem = name.substr(0, name.size() - ending.size());
    if (i > 0 && stem != base) {
      return opcode;
    }
    base = stem;
  }
  return base;
}

void ComputationWriter::WriteSeveral(const ir::Inst& inst, llvm::ArrayRef<llvm::StringRef> operands) {
  llvm::SmallVector<ir::ValueId, 4> results;
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    results.push_back(function_.result(inst, i));
  }
  llvm::StringRef name = TakeName(SharedBase(inst));
  WriteLine(inst, name, TupleOf(results), operands, false);
  if (!results.empty()) {
    tuple_names_[inst.first_result] = name;
  }
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    if (Used(results[i])) {
      WriteElement(results[i], name, i);
    }
  }
}

// The carried values and the captured ones travel in one tuple.
void ComputationWriter::WriteWhile(const ir::Inst& inst) {
  llvm::ArrayRef<ir::ValueId> operands = function_.operands(inst);
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (ir::ValueId v : operands) {
    names.push_back(NameOf(v));
  }
  llvm::StringRef tuple = WriteTuple(names, operands, false);
  llvm::StringRef name = TakeName(SharedBase(inst));
  WriteLine(inst, name, TupleOf(operands), {tuple}, false);
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    ir::ValueId result = function_.result(inst, i);
    if (Used(result)) {
      WriteElement(result, name, i);
    }
  }
}

}  // namespace spmdc::text::hlo
