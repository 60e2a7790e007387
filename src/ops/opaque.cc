// An op this tool does not know: its text is kept and printed again; it can be neither run nor partitioned.
#include "ops/opaque.h"

#include "ir/side_text.h"
#include "ops/custom_call_rule.h"
#include "ops/custom_call_text.h"
#include "ops/dimension_size.h"
#include "ops/lapack.h"
#include "ops/table.h"
#include "support/starts_with.h"

namespace spmdc::ops {

llvm::StringRef LayoutsOf(const ir::Module& module, const ir::Inst& inst) {
  return ir::SideText(module, inst.side, "layout");
}

OpaqueAttrs ShardingGroup(int64_t id) {
  OpaqueAttrs attrs;
  attrs.name = "sdy.sharding_group";
  attrs.text = "<{group_id = " + std::to_string(id) + " : i64}>";
  return attrs;
}

OpaqueAttrs PropagationBarrier(BarrierDirection direction, const ir::Type& type) {
  constexpr llvm::StringLiteral kNames[] = {"NONE", "FORWARD", "BACKWARD"};
  OpaqueAttrs attrs;
  attrs.name = "sdy.propagation_barrier";
  attrs.text = "%0 allowed_direction=" + kNames[static_cast<size_t>(direction)].str();
  attrs.types = op::MlirType(type);
  attrs.result_types = {type};
  return attrs;
}

std::optional<BarrierDirection> BarrierDirectionOf(const OpaqueAttrs& attrs) {
  if (!IsPropagationBarrier(attrs)) {
    return std::nullopt;
  }
  llvm::StringRef text = attrs.text;
  text = text.substr(text.find("allowed_direction")).ltrim("allowed_direction").ltrim(" =");
  int number = 0;
  if (StartsWith(text, "FORWARD") || (!text.consumeInteger(10, number) && number == 1)) {
    return BarrierDirection::Forward;
  }
  return StartsWith(text, "BACKWARD") || number == 2 ? BarrierDirection::Backward : BarrierDirection::None;
}

std::optional<BarrierDirection> CarriedDirection(llvm::StringRef text) {
  int number = 0;
  bool good = !text.consumeInteger(10, number) && number >= 0 && number <= 2;
  return good ? std::optional(static_cast<BarrierDirection>(number)) : std::nullopt;
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

// A call without arrays as results, such as a debug print, only tells others: nothing follows from it here.
bool OnlyTells(const OpaqueAttrs& attrs) {
  return !TargetOf(attrs).empty() && llvm::none_of(attrs.result_types, [](const ir::Type& t) { return t.is_array(); });
}

bool EvalOpaque(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<OpaqueAttrs>();
  llvm::StringRef target = TargetOf(attrs);
  if (GivesItsOperand(attrs) && cx.operands.size() == 1 && cx.inst.num_results == 1) {
    cx.results.push_back(cx.operand(0));
    return true;
  }
  if (IsLapackCall(target)) {
    return EvalLapackCall(cx, target, SettingsOf(attrs, ir::SideText(cx.module, cx.inst.side, "mhlo.backend_config")));
  }
  if (OnlyTells(attrs)) {
    for (const ir::Type& type : attrs.result_types) {
      cx.results.push_back(tensor::Literal(type.dtype, type.dims));
    }
    return true;
  }
  cx.why = target.empty() ? "" : "what `" + target.str() + "` computes is not known here";
  return IsAnnotation(cx.module, cx.inst);
}

std::optional<op::Exchanged> ExchangeOpaque(const op::ShardedInst& s) {
  return RunsOnParts(s) ? std::optional(op::Exchanged()) : std::nullopt;
}

// `(tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2xi32>)`, as a pretty form of StableHLO has behind its colon.
std::string TypesText(llvm::ArrayRef<ir::Type> operands, llvm::ArrayRef<ir::Type> results) {
  auto list = [](llvm::ArrayRef<ir::Type> types) {
    std::string text;
    for (const ir::Type& type : types) {
      text += (text.empty() ? "" : ", ") + op::MlirType(type);
    }
    return text;
  };
  std::string to = list(results);
  return "(" + list(operands) + ") -> " + (results.size() == 1 ? to : "(" + to + ")");
}

// A custom call is run by each device on what it holds: all, or the same batches of all operands.
bool LocalizeOpaque(op::LocalizeContext& cx) {
  const auto& attrs = cx.attrs<OpaqueAttrs>();
  if (IsPropagationBarrier(attrs)) {
    cx.Results({cx.operands()[0]});
    return true;
  }
  if (!IsComputation(attrs)) {
    return cx.Refuse("this op is read and printed, but cannot be partitioned");
  }
  OpaqueAttrs local = attrs;
  llvm::SmallVector<ir::Type, 4> operands;
  for (size_t i = 0; i < cx.operands().size(); ++i) {
    operands.push_back(cx.global_operand(i).is_array() ? cx.local_operand(i) : cx.global_operand(i));
  }
  for (size_t i = 0; i < local.result_types.size(); ++i) {
    local.result_types[i] = cx.global_result(i).is_array() ? cx.local_result(i) : local.result_types[i];
  }
  if (local.result_types != attrs.result_types && attrs.name == "stablehlo.custom_call" && !attrs.types.empty()) {
    local.types = TypesText(operands, local.result_types);
  }
  llvm::SmallVector<ir::FuncId, 2> bodies;
  for (size_t i = 0; i < cx.inst().num_bodies; ++i) {
    bodies.push_back(cx.body(i));
  }
  op::Builder& b = cx.builder();
  cx.Results(*b.Add(ir::OpKind::Opaque, cx.operands(), b.Attrs(std::move(local)), bodies));
  return true;
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
    // A dictionary of settings is what StableHLO gives to typed calls.
    llvm::StringRef settings = ir::SideText(p.module(), p.inst().side, "mhlo.backend_config");
    bool typed = StartsWith(settings, "{");
    if (typed && text->find("api_version=") == std::string::npos) {
      *text += ", api_version=API_VERSION_TYPED_FFI";
    }
    p.Raw(*text + (typed ? ", backend_config=" + settings.str() : ""));
    return;
  }
  if (std::optional<Spelled> spelled = DimensionSizeAsHlo(attrs)) {
    p.Opcode(spelled->name);
    p.Raw(spelled->text);
    return;
  }
  if (BarrierDirectionOf(attrs)) {
    p.Opcode("custom-call");
    p.Raw(", custom_call_target=\"xla.sdy.PropagationBarrier\"");
    return;
  }
  p.Opcode(attrs.name);
  if (!attrs.text.empty()) {
    p.Raw(attrs.text);
  }
}

// The text with names for its first `count` numbers behind a sigil, `%0`, `%1`, ...; those in strings are none.
std::string WithNames(llvm::StringRef text, char sigil, size_t count, llvm::function_ref<std::string(size_t)> name_of) {
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
    } else if (c == sigil && !in_string && !text.consumeInteger(10, number) && number < count) {
      out += name_of(number);
      continue;
    }
    out += c;
  }
  return out;
}

// A pretty form's text with the operands' names.
std::string WithOperands(const op::StablehloPrinter& p, llvm::StringRef text) {
  return WithNames(text, '%', p.inst().num_operands, [&](size_t i) { return p.Operand(i); });
}

void PrintMlir(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<OpaqueAttrs>();
  if (std::optional<std::string> text = CustomCallAsStablehlo(attrs, LayoutsOf(p.module(), p.inst()))) {
    p.Name("stablehlo.custom_call");
    p.Property(*text, "");
    return;
  }
  if (std::optional<Spelled> spelled = DimensionSizeAsStablehlo(attrs)) {
    p.Name(spelled->name);
    p.Property(spelled->text, "");
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

std::string WithNamedBodies(llvm::StringRef text, llvm::ArrayRef<ir::FuncId> bodies,
                            llvm::function_ref<std::string(ir::FuncId)> name_of) {
  return WithNames(text, '@', bodies.size(), [&](size_t i) { return name_of(bodies[i]); });
}

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
    .exchange = ExchangeOpaque,
    .eval = EvalOpaque,
    .own_name = NameOfOpaque,
    .hlo_opcode = "opaque",
    .print_hlo = PrintOpaqueHlo,
    .print_stablehlo = PrintMlir,
    .native_name = "spmdc.op",
    .print_native = PrintNative,
};

}  // namespace spmdc::ops
