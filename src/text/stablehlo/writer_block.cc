// The inside of functions and regions: names, ops in their forms, terminators.
#include "ir/side_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/opaque.h"
#include "support/starts_with.h"
#include "text/stablehlo/lexer.h"
#include "text/stablehlo/writer_impl.h"

namespace spmdc::text::stablehlo {

// What an op's hook writes its attributes with.
class InstPrinter final : public op::StablehloPrinter {
 public:
  InstPrinter(BlockWriter& block, const ir::Inst& of) : block_(block), inst_(of) {
    const op::OpDef& def = op::Def(of.op);
    name = def.dialect.str() + "." + ir::Mnemonic(of.op).str();
  }

  const ir::Module& module() const override { return block_.module_.module; }
  const ir::Function& function() const override { return block_.function_; }
  const ir::Inst& inst() const override { return inst_; }
  std::string Operand(size_t i) const override { return block_.Name(function().operands(inst_)[i]); }
  std::string Mesh(mesh::MeshId id) const override { return block_.module_.MeshSymbol(id); }
  std::string Sharding(mesh::ShardingId id) const override { return block_.module_.ShardingText(id); }

  void Name(std::string text) override { name = std::move(text); }
  void Property(llvm::StringRef key, std::string text) override {
    properties += (properties.empty() ? "" : ", ") + key.str() + (text.empty() ? "" : " = " + text);
  }
  void Ints(llvm::StringRef key, llvm::ArrayRef<int64_t> values) override {
    std::string list;
    for (int64_t value : values) {
      list += (list.empty() ? ": " : ", ") + std::to_string(value);
    }
    Property(key, "array<i64" + list + ">");
  }
  void Pretty(std::string text) override {
    form = Form::Pretty;
    pretty = std::move(text);
  }
  void PrettyTyped(std::string text, std::string type_text) override {
    Pretty(std::move(text));
    types = std::move(type_text);
  }
  void PrettyConstant(std::string text, bool has_type) override {
    form = has_type ? Form::TypedConstant : Form::Constant;
    pretty = std::move(text);
  }

  // `stablehlo.custom_call @target(%a) {called_computations = [@f]}`: an op of ours that StableHLO has as a custom call.
  void PrintTarget() {
    std::string operands, functions;
    for (size_t i = 0; i < inst_.num_operands; ++i) {
      operands += (i == 0 ? "" : ", ") + Operand(i);
    }
    for (ir::FuncId body : function().bodies(inst_)) {
      functions += (functions.empty() ? "" : ", ") + SymbolText(block_.module_.Symbol(body));
    }
    Name("stablehlo.custom_call");
    Pretty("@" + op::Def(inst_.op).custom_call.str() + "(" + operands + ")");
    if (!functions.empty()) {
      Property("called_computations", "[" + functions + "]");
    }
  }

  enum class Form : uint8_t { Generic, Pretty, Constant, TypedConstant };
  Form form = Form::Generic;
  std::string name, properties, pretty, types;

 private:
  BlockWriter& block_;
  const ir::Inst& inst_;
};

BlockWriter::BlockWriter(ModuleWriter& module, NameSet& names, ir::FuncId id, int indent)
    : module_(module), names_(names), function_(module.module.functions[id]), indent_(indent) {}

const std::string& BlockWriter::NameArg(ir::ValueId value) {
  return name_of_value_[value] = "%" + names_.Take(ValueSpelling(function_.values[value].name));
}

std::string BlockWriter::Run(llvm::StringRef terminator) {
  for (const ir::Inst& inst : function_.insts) {
    WriteInst(inst);
  }
  WriteReturn(terminator);
  return std::move(text_);
}

void BlockWriter::WriteReturn(llvm::StringRef terminator) {
  text_ += Indent() + terminator.str();
  for (size_t i = 0; i < function_.results.size(); ++i) {
    text_ += (i == 0 ? " " : ", ") + Name(function_.results[i]);
  }
  text_ += function_.results.empty() ? "\n" : " : " + Types(function_.results, false) + "\n";
}

llvm::SmallVector<ir::ValueId, 4> BlockWriter::Results(const ir::Inst& inst) const {
  llvm::SmallVector<ir::ValueId, 4> results;
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    results.push_back(function_.result(inst, i));
  }
  return results;
}

std::string BlockWriter::Types(llvm::ArrayRef<ir::ValueId> values, bool parentheses) const {
  std::string list;
  for (ir::ValueId v : values) {
    list += (list.empty() ? "" : ", ") + op::MlirType(module_.module.type(function_, v));
  }
  return parentheses ? "(" + list + ")" : list;
}

std::string BlockWriter::FunctionType(llvm::ArrayRef<ir::ValueId> operands, const ir::Inst& inst) const {
  return Types(operands, true) + " -> " + Types(Results(inst), inst.num_results != 1);
}

namespace {

// The name that results `base#0`, `base#1`, ... share; empty if they are not called so.
llvm::StringRef SharedName(const ir::Function& function, llvm::ArrayRef<ir::ValueId> results) {
  llvm::StringRef base = llvm::StringRef(function.values[results[0]].name).rsplit('#').first;
  for (size_t i = 0; i < results.size(); ++i) {
    if (function.values[results[i]].name != base.str() + "#" + std::to_string(i)) {
      return "";
    }
  }
  return base;
}

}  // namespace

// `%a = `, `%a:2 = `, `%a, %b = `
std::string BlockWriter::Binders(const ir::Inst& inst) {
  llvm::SmallVector<ir::ValueId, 4> results = Results(inst);
  if (results.empty()) {
    return "";
  }
  llvm::StringRef shared = SharedName(function_, results);
  if (!shared.empty()) {
    std::string name = "%" + names_.Take(ValueSpelling(shared));
    for (size_t i = 0; i < results.size(); ++i) {
      name_of_value_[results[i]] = name + "#" + std::to_string(i);
    }
    return name + ":" + std::to_string(results.size()) + " = ";
  }
  std::string list;
  for (ir::ValueId v : results) {
    list += (list.empty() ? "" : ", ") + NameArg(v);
  }
  return list + " = ";
}

// Captured values are the last operands; a branch names all but its index from outside.
size_t BlockWriter::NumPrintedOperands(const ir::Inst& inst) const {
  const op::OpDef& def = op::Def(inst.op);
  if (inst.num_bodies == 0 || def.region == op::Region::Call || def.region == op::Region::Apply) {
    return inst.num_operands;
  }
  const ir::Function& body = module_.module.functions[function_.bodies(inst)[0]];
  auto captured = llvm::count_if(body.arg_info, [](const ir::BoundaryInfo& info) { return info.captured; });
  return def.region == op::Region::Branch ? 1 : inst.num_operands - static_cast<size_t>(captured);
}

std::string BlockWriter::Region(const ir::Inst& inst, ir::FuncId body) {
  const op::OpDef& def = op::Def(inst.op);
  const ir::Function& function = module_.module.functions[body];
  llvm::ArrayRef<ir::ValueId> operands = function_.operands(inst);
  size_t mark = names_.Mark();
  BlockWriter block(module_, names_, body, indent_ + 2);
  if (def.region == op::Region::Apply || without_shardings_) {
    block.LeaveOutShardings();
  }
  bool branch = def.region == op::Region::Branch;
  size_t captured = branch ? function.args.size()
                           : static_cast<size_t>(llvm::count_if(
                                 function.arg_info, [](const ir::BoundaryInfo& info) { return info.captured; }));
  std::string args;
  for (size_t i = 0; i < function.args.size(); ++i) {
    size_t from_end = function.args.size() - i;
    if (from_end <= captured) {
      block.Bind(function.args[i], Name(operands[operands.size() - from_end]));
      continue;
    }
    args += (args.empty() ? "" : ", ") + block.NameArg(function.args[i]) + ": " +
            op::MlirType(module_.module.type(function, function.args[i]));
  }
  std::string text = "{\n";
  text += args.empty() ? "" : Indent() + "^bb0(" + args + "):\n";
  bool of_sdy = StartsWith(op::NameOf(module_.module, inst), "sdy.");
  text += block.Run(of_sdy || def.dialect == "sdy" ? "sdy.return" : "stablehlo.return");
  names_.Release(mark);
  return text + Indent() + "}";
}

std::string BlockWriter::Regions(const ir::Inst& inst) {
  std::string list;
  if (!NamesFunctions(module_.module, inst)) {
    for (ir::FuncId body : function_.bodies(inst)) {
      list += (list.empty() ? "" : ", ") + Region(inst, body);
    }
  }
  return list.empty() ? "" : " (" + list + ")";
}

namespace {

// `{a="b",c={d = 1}}` as HLO spells a dictionary of strings: each key and its value. XLA leaves the quotes out around braces.
using Fields = llvm::SmallVector<std::pair<std::string, std::string>, 4>;

Fields FrontendAttributes(llvm::StringRef text) {
  Fields fields;
  text = text.trim();
  text.consume_front("{");
  text.consume_back("}");
  Lexer lex(text);
  while (!lex.AtEnd()) {
    llvm::StringRef key = text.substr(lex.pos()).split('=').first.trim();
    lex.set_pos(static_cast<size_t>(key.end() - text.begin()));
    if (!lex.Take('=')) {
      break;
    }
    char c = lex.Peek();
    size_t begin = lex.pos();
    llvm::StringRef quoted = c == '"' ? lex.Quoted() : "";
    if (quoted.empty() && (c != '{' || !lex.SkipBalanced())) {
      lex.set_pos(std::min(text.find(',', begin), text.size()));
    }
    fields.emplace_back(key.str(), quoted.empty() ? lex.Slice(begin, lex.pos()).str() : Unquote(quoted));
    lex.Take(',');
  }
  return fields;
}

bool IsComposite(const ir::Module& module, const ir::Inst& inst) {
  return ir::SideText(module, inst.side, "is_composite") == "true";
}

}  // namespace

std::string BlockWriter::Annotations(const ir::Inst& inst) {
  std::string list;
  auto add = [&](const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
  bool composite = IsComposite(module_.module, inst);
  if (inst.side.valid()) {
    for (const auto& [name, value] : module_.module.tables->sides[inst.side].entries) {
      if (name == "frontend_attributes") {
        std::string fields;
        for (const auto& [key, text] : FrontendAttributes(value)) {
          if (!composite || !StartsWith(key, "composite.")) {
            fields += (fields.empty() ? "" : ", ") + key + " = " + Quoted(text);
          }
        }
        if (!fields.empty()) {
          add("mhlo.frontend_attributes = {" + fields + "}");
        }
      } else if (llvm::StringRef(name).contains('.')) {
        add(name + (value.empty() ? "" : " = " + value));
      }
    }
  }
  bool placed = !without_shardings_ && !op::Def(inst.op).is_constraint;
  std::string shardings = placed ? module_.Shardings(function_, Results(inst)) : "";
  if (!shardings.empty()) {
    add("sdy.sharding = " + shardings);
  }
  return list.empty() ? "" : " {" + list + "}";
}

// `func.call @f(%a) : types`, or `stablehlo.composite "name" %a {decomposition = @f} : types` where it stands for something.
std::string BlockWriter::CallText(const ir::Inst& inst, const std::string& operands) {
  std::string callee = SymbolText(module_.Symbol(function_.bodies(inst)[0]));
  std::string types = " : " + FunctionType(function_.operands(inst), inst);
  std::string annotations = Annotations(inst);
  if (!IsComposite(module_.module, inst)) {
    return "func.call " + callee + "(" + operands + ")" + annotations + types;
  }
  std::string name, attributes, version;
  for (const auto& [key, text] : FrontendAttributes(ir::SideText(module_.module, inst.side, "frontend_attributes"))) {
    name = key == "composite.name" ? text : name;
    attributes = key == "composite.attributes" && text != "{}" ? "composite_attributes = " + text + ", " : attributes;
    version = key == "composite.version" && text != "0" ? ", version = " + text + " : i32" : version;
  }
  annotations = annotations.empty() ? "}" : ", " + annotations.substr(2);
  return "stablehlo.composite " + Quoted(name) + (operands.empty() ? "" : " ") + operands + " {" + attributes +
         "decomposition = " + callee + version + annotations + types;
}

void BlockWriter::WriteInst(const ir::Inst& inst) {
  using Form = InstPrinter::Form;
  const op::OpDef& def = op::Def(inst.op);
  llvm::ArrayRef<ir::ValueId> operands = function_.operands(inst).take_front(NumPrintedOperands(inst));
  InstPrinter printer(*this, inst);
  if (!def.custom_call.empty()) {
    printer.PrintTarget();
  }
  if (def.print_stablehlo != nullptr) {
    def.print_stablehlo(printer);
  }
  if (inst.op == ir::OpKind::Opaque && NamesFunctions(module_.module, inst)) {
    printer.properties = ops::WithNamedBodies(printer.properties, function_.bodies(inst),
                                              [&](ir::FuncId body) { return SymbolText(module_.Symbol(body)); });
  }
  llvm::SmallVector<std::string, 4> names;
  for (ir::ValueId v : operands) {
    names.push_back(Name(v));
  }
  std::string list = llvm::join(names, ", ");
  std::string regions = Regions(inst);  // before the results have names: those are not seen inside
  std::string binders = Binders(inst);
  // As they are written: without what the type says of axes.
  auto same_type = [&](ir::ValueId v) {
    ir::TypeId id = function_.values[v].type, result_id = function_.values[function_.result(inst)].type;
    if (id == result_id) {
      return true;
    }
    ir::Type type = module_.module.tables->types[id], result = module_.module.tables->types[result_id];
    type.sharding = result.sharding = {};
    return type == result;
  };
  bool plain = def.elementwise && def.dialect == "stablehlo" && def.parse_stablehlo == nullptr &&
               inst.num_results == 1 && !operands.empty() && printer.properties.empty() &&
               printer.form == Form::Generic && llvm::all_of(operands, same_type);
  text_ += Indent() + binders;
  if (def.region == op::Region::Call) {
    text_ += CallText(inst, list);
  } else if (plain) {
    text_ += printer.name + " " + list + Annotations(inst) + " : " + Types(Results(inst), false);
  } else if (printer.form == Form::Constant || printer.form == Form::TypedConstant) {
    bool typed = printer.form == Form::TypedConstant;
    text_ += printer.name + (typed ? Annotations(inst) + " " + printer.pretty
                                   : " " + printer.pretty + Annotations(inst) + " : " + Types(Results(inst), false));
  } else if (printer.form == Form::Pretty) {
    bool constraint = def.is_constraint;
    std::string dict = Annotations(inst);
    if (!printer.properties.empty()) {
      dict = " {" + printer.properties + (dict.empty() ? "}" : ", " + dict.substr(2));
    }
    text_ += printer.name + " " + printer.pretty + dict + " : " +
             (!printer.types.empty() ? printer.types
              : constraint           ? Types(Results(inst), false)
                                     : FunctionType(operands, inst));
  } else {
    std::string properties = printer.properties.empty() ? "" : " <{" + printer.properties + "}>";
    text_ += "\"" + printer.name + "\"(" + list + ")" + properties + regions + Annotations(inst) + " : " +
             FunctionType(operands, inst);
  }
  text_ += module_.Location(inst.source) + "\n";
}

}  // namespace spmdc::text::stablehlo
