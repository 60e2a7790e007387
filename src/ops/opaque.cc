// An op this tool does not know: its text is kept and printed again; it can be neither run nor partitioned.
#include "ops/opaque.h"

#include "ops/custom_call_rule.h"
#include "ops/custom_call_text.h"
#include "ops/table.h"

namespace spmdc::ops {

llvm::StringRef LayoutsOf(const ir::Module& module, const ir::Inst& inst) {
  if (inst.side.valid()) {
    for (const auto& [name, text] : module.tables->sides[inst.side].entries) {
      if (name == "layout") {
        return text;
      }
    }
  }
  return "";
}

std::optional<int64_t> ShardingGroupOf(const ir::Module& module, const ir::Inst& inst) {
  if (inst.num_operands != 1 || op::Def(inst.op).make_attrs != ir::NewAttrs<OpaqueAttrs>) {
    return std::nullopt;
  }
  const auto& attrs = module.attrs<OpaqueAttrs>(inst);
  llvm::StringRef text = attrs.text;
  text = text.substr(text.find("group_id")).ltrim("group_id").ltrim(" =");
  int64_t id = 0;
  bool none = attrs.name != "sdy.sharding_group" || text.consumeInteger(10, id);
  return none ? std::nullopt : std::optional(id);
}

namespace {

bool InferOpaque(op::InferContext& cx) {
  for (const ir::Type& type : cx.attrs<OpaqueAttrs>().result_types) {
    cx.Result(type);
  }
  return true;
}

bool ExplicitOpaque(op::ExplicitContext& cx) {
  for (size_t i = 0; i < cx.infer.results.size(); ++i) {
    cx.results.push_back(cx.replicated_result(i));
  }
  return true;
}

bool IsAnnotation(const ir::Module& module, const ir::Inst& inst) {
  return module.attrs<OpaqueAttrs>(inst).name == "sdy.sharding_group";
}

bool EvalOpaque(op::EvalContext& cx) {
  if (IsPropagationBarrier(cx.attrs<OpaqueAttrs>())) {
    cx.results.push_back(cx.operand(0));
    return true;
  }
  return IsAnnotation(cx.module, cx.inst);
}

bool LocalizeOpaque(op::LocalizeContext& cx) {
  if (IsPropagationBarrier(cx.attrs<OpaqueAttrs>())) {
    cx.Results({cx.operands()[0]});
    return true;
  }
  return cx.Refuse("this op is read and printed, but cannot be partitioned");
}

llvm::StringRef NameOfOpaque(const ir::Module& module, const ir::Inst& inst) {
  return module.attrs<OpaqueAttrs>(inst).name;
}

void PrintOpaqueHlo(op::HloPrinter& p) {
  const auto& attrs = p.attrs<OpaqueAttrs>();
  llvm::SmallVector<ir::Type, 4> operands;
  for (ir::ValueId v : p.function().operands(p.inst())) {
    operands.push_back(p.module().type(p.function(), v));
  }
  if (std::optional<std::string> text = CustomCallAsHlo(attrs, operands)) {
    p.Opcode("custom-call");
    p.Raw(std::move(*text));
    return;
  }
  p.Opcode(attrs.name);
  if (!attrs.text.empty()) {
    p.Raw(attrs.text);
  }
}

// A pretty form's text with the operands' names for `%0`, `%1`, ...; those in strings are none.
std::string WithOperands(const op::StablehloPrinter& p, llvm::StringRef text) {
  std::string out;
  bool in_string = false;
  while (!text.empty()) {
    char c = text.front();
    text = text.drop_front();
    in_string ^= c == '"';
    size_t number = 0;
    if (c == '\\' && in_string && !text.empty()) {
      out += c;
      c = text.front();
      text = text.drop_front();
    } else if (c == '%' && !in_string && !text.consumeInteger(10, number) && number < p.inst().num_operands) {
      out += p.Operand(number);
      continue;
    }
    out += c;
  }
  return out;
}

void PrintMlir(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<OpaqueAttrs>();
  if (std::optional<std::string> text = CustomCallAsStablehlo(attrs, LayoutsOf(p.module(), p.inst()))) {
    p.Name("stablehlo.custom_call");
    p.Property(*text, "");
    return;
  }
  p.Name(attrs.name);
  if (attrs.types.empty()) {
    llvm::StringRef properties = attrs.text;
    properties.consume_front("<{");
    properties.consume_back("}>");
    if (!properties.empty()) {
      p.Property(properties, "");
    }
    return;
  }
  p.PrettyTyped(WithOperands(p, attrs.text), attrs.types);
}

std::string Quoted(llvm::StringRef text) {
  std::string quoted = "'";
  for (char c : text) {
    quoted += c == '\n' ? "\\n" : c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return quoted + "'";
}

void PrintNative(op::NativePrinter& p) {
  const auto& attrs = p.attrs<OpaqueAttrs>();
  std::string args = Quoted(attrs.name);
  for (size_t i = 0; i < p.inst().num_operands; ++i) {
    args += ", " + p.Operand(i);
  }
  p.Args(args);
  p.Keyword("text", Quoted(attrs.text));
}

}  // namespace

const op::OpDef kOpaque = {
    .kind = ir::OpKind::Opaque,
    .dialect = "",
    .min_operands = 0,
    .max_operands = -1,
    .min_bodies = 0,
    .max_bodies = -1,
    .make_attrs = ir::NewAttrs<OpaqueAttrs>,
    .side_effect = true,
    .is_annotation = IsAnnotation,
    .classic = {.take = op::Classic::Take::Nothing},
    .infer = InferOpaque,
    .rule = RuleOfCustomCall,
    .explicit_types = ExplicitOpaque,
    .localize = LocalizeOpaque,
    .eval = EvalOpaque,
    .own_name = NameOfOpaque,
    .hlo_opcode = "opaque",
    .print_hlo = PrintOpaqueHlo,
    .print_stablehlo = PrintMlir,
    .native_name = "spmdc.op",
    .print_native = PrintNative,
};

}  // namespace spmdc::ops
