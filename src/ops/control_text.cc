// Loops, branches, calls, barriers, manual regions and constraints in HLO, StableHLO and the flat native form.
#include "ops/control_text.h"

#include "llvm/ADT/STLExtras.h"
#include "mesh/sdy_sharding.h"
#include "op/op_def.h"
#include "ops/collective_text.h"
#include "ops/control.h"
#include "ops/manual_axes.h"
#include "ops/sharding.h"

namespace spmdc::ops {
namespace {

std::string AsTuple(const op::NativePrinter& p, size_t first, size_t last) {
  return "(" + p.Operands(first, last) + (last == first + 1 ? ",)" : ")");
}

}  // namespace

// --- while ---

void PrintHloWhile(op::HloPrinter& p) {
  p.Body("condition", p.function().bodies(p.inst())[0]);
  p.Body("body", p.function().bodies(p.inst())[1]);
}

bool ReadHloWhile(op::HloReader& r, ir::AttrsId& id) {
  auto condition = r.Body("condition");
  auto body = r.Body("body");
  if (!condition || !body) {
    return r.Fail(condition ? "body" : "condition", "is missing");
  }
  r.UseBodies({*condition, *body});
  id = r.module().tables->attrs.Add(WhileAttrs{static_cast<int64_t>(r.operands().size())});
  return true;
}

// `(%a = %x, %b = %y) : types attributes {...} cond { ... } do { ... }`.
bool ParseWhile(op::StablehloReader& r) {
  llvm::SmallVector<op::StablehloReader::RegionArg, 4> args;
  if (!r.Expect("(")) {
    return false;
  }
  while (!r.TryToken(")")) {
    if (!args.empty() && !r.Expect(",")) {
      return false;
    }
    auto arg = r.DefineName();
    if (!arg || !r.Expect("=") || !r.Operand()) {
      return false;
    }
    args.push_back(std::move(*arg));
  }
  auto carried = static_cast<int64_t>(r.num_operands());
  if (!args.empty() && !r.ColonTypes()) {
    return false;
  }
  if (r.operand_types().size() != args.size()) {
    return r.Fail(diag::Kind::OperandCount, "has " + std::to_string(args.size()) + " carried values and " +
                                                std::to_string(r.operand_types().size()) + " types");
  }
  for (size_t i = 0; i < args.size(); ++i) {
    args[i].type = r.operand_types()[i];
  }
  if (r.TryToken("attributes") && !r.OptionalDict()) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(WhileAttrs{carried}));
  return r.Expect("cond") && r.Region(args) && r.Expect("do") && r.Region(args);
}

bool GenericWhile(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(WhileAttrs{static_cast<int64_t>(r.num_operands())}));
  return true;
}

// All that a loop has are its regions.
void PrintMlirWhile(op::StablehloPrinter&) {}

// JAX's loops carry one tree: the carried values as a tuple; captured values are bound by the lambdas. No value is called
// `carried` (the writer reserves the name), so that it hides none of them.
void PrintNativeWhile(op::NativePrinter& p) {
  auto carried = static_cast<size_t>(p.attrs<WhileAttrs>().num_carried);
  size_t all = p.inst().num_operands;
  std::string captured = carried < all ? ", " + p.Operands(carried, all) : "";
  auto bodies = p.function().bodies(p.inst());
  std::string condition = p.Body(bodies[0]), step = p.Body(bodies[1]);
  std::string unpack = carried == 1 ? "carried" : "*carried";
  std::string init = carried == 1 ? p.Operand(0) : AsTuple(p, 0, carried);
  p.Callee("lax.while_loop");
  std::string lambda = "lambda carried: ", args = "(" + unpack + captured + "), ";
  p.Args(lambda + condition + args + lambda + step + args + init);
}

// --- case ---

// A pred chooses between {false branch, true branch}.
void PrintHloConditional(op::HloPrinter& p) {
  auto bodies = p.function().bodies(p.inst());
  const ir::Type& index = p.module().type(p.function(), p.function().operands(p.inst())[0]);
  if (index.dtype == tensor::DType::Pred) {
    p.Body("true_computation", bodies[1]);
    p.Body("false_computation", bodies[0]);
  } else {
    p.Bodies("branch_computations", bodies);
  }
}

bool ReadHloConditional(op::HloReader& r, ir::AttrsId&) {
  if (auto branches = r.Bodies("branch_computations")) {
    r.UseBodies(*branches);
    return true;
  }
  auto yes = r.Body("true_computation");
  auto no = r.Body("false_computation");
  if (!yes || !no) {
    return r.Fail("branch_computations", "is missing");
  }
  r.UseBodies({*no, *yes});
  return true;
}

void PrintNativeCase(op::NativePrinter& p) {
  std::string branches;
  for (ir::FuncId body : p.function().bodies(p.inst())) {
    branches += (branches.empty() ? "" : ", ") + p.Body(body);
  }
  std::string operands = p.Operands(1, p.inst().num_operands);
  std::string index = p.Operand(0);
  if (p.module().type(p.function(), p.function().operands(p.inst())[0]).dtype == tensor::DType::Pred) {
    index += ".astype(s32)";
  }
  p.Callee("lax.switch");
  p.Args(index + ", [" + branches + "]" + (operands.empty() ? "" : ", " + operands));
}

// --- call, barrier ---

void PrintHloCall(op::HloPrinter& p) { p.Body("to_apply", p.function().bodies(p.inst())[0]); }

bool ReadHloCall(op::HloReader& r, ir::AttrsId&) {
  auto body = r.Body("to_apply");
  if (!body) {
    return r.Fail("to_apply", "is missing");
  }
  r.UseBodies({*body});
  return true;
}

void PrintNativeCall(op::NativePrinter& p) { p.Callee(p.Body(p.function().bodies(p.inst())[0])); }

void PrintNativeBarrier(op::NativePrinter& p) {
  if (p.inst().num_operands != 1) {
    p.Args(AsTuple(p, 0, p.inst().num_operands));
  }
}

// --- manual_computation ---

namespace {

bool ReadShardings(op::StablehloReader& r, const op::MlirAttr& attr, llvm::SmallVector<mesh::ShardingId, 4>& out) {
  for (const op::MlirAttr& item : attr.items) {
    if (item.kind != op::MlirAttr::Kind::Sharding) {
      return r.Fail(diag::Kind::ShardingText, "in_shardings and out_shardings must be lists of shardings");
    }
    out.push_back(item.sharding);
  }
  return true;
}

bool FinishManual(op::StablehloReader& r, const op::MlirAttr& in, const op::MlirAttr& out, const op::MlirAttr& axes) {
  ManualComputationAttrs attrs;
  if (!ReadShardings(r, in, attrs.in_shardings) || !ReadShardings(r, out, attrs.out_shardings)) {
    return false;
  }
  std::vector<std::string> names;
  for (const op::MlirAttr& item : axes.items) {
    names.push_back(item.text);
  }
  if (auto error = SetManualAxes(r.module(), names, attrs)) {
    return r.Fail(error->kind, error->message);
  }
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

// `name=value`.
std::optional<op::MlirAttr> NamedAttribute(op::StablehloReader& r, llvm::StringRef name) {
  return r.Expect(name) && r.Expect("=") ? r.Attribute() : std::nullopt;
}

}  // namespace

// `(%a) in_shardings=[...] out_shardings=[...] manual_axes={"x"} (%arg: type) { ... } : (types) -> types`.
bool ParseManual(op::StablehloReader& r) {
  if (!r.Expect("(") || !r.OperandList(")") || !r.Expect(")")) {
    return false;
  }
  auto in = NamedAttribute(r, "in_shardings");
  auto out = in ? NamedAttribute(r, "out_shardings") : std::nullopt;
  auto axes = out ? NamedAttribute(r, "manual_axes") : std::nullopt;
  if (!axes || !FinishManual(r, *in, *out, *axes) || !r.Expect("(")) {
    return false;
  }
  llvm::SmallVector<op::StablehloReader::RegionArg, 4> args;
  while (!r.TryToken(")")) {
    if (!args.empty() && !r.Expect(",")) {
      return false;
    }
    auto arg = r.DefineName();
    if (!arg) {
      return false;
    }
    args.push_back(std::move(*arg));
  }
  return r.Region(args) && r.ColonTypes();
}

bool GenericManual(op::StablehloReader& r) {
  return FinishManual(r, r.attr("in_shardings"), r.attr("out_shardings"), r.attr("manual_axes"));
}

void PrintMlirManual(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<ManualComputationAttrs>();
  auto list = [&](llvm::ArrayRef<mesh::ShardingId> ids) {
    std::string text;
    for (mesh::ShardingId id : ids) {
      text += (text.empty() ? "" : ", ") + p.Sharding(id);
    }
    return "#sdy.sharding_per_value<[" + text + "]>";
  };
  const mesh::Mesh& mesh = p.module().tables->meshes[attrs.mesh];
  std::string axes;
  for (const mesh::AxisRef& axis : attrs.manual_axes) {
    axes += (axes.empty() ? "" : ", ") + mesh::QuotedName(mesh.axes[static_cast<size_t>(axis.axis)].name);
  }
  p.Property("in_shardings", list(attrs.in_shardings));
  p.Property("manual_axes", "#sdy<manual_axes{" + axes + "}>");
  p.Property("out_shardings", list(attrs.out_shardings));
}

namespace {

// P('x', None, P.UNCONSTRAINED) where a spec says all of a sharding: whole axes, no priorities, no pinned axes.
// `manual`: only these axes are named (shard_map), and open dims are no matter.
std::optional<std::string> Spec(const mesh::Mesh& mesh, const mesh::Sharding& sharding, const mesh::AxisList* manual) {
  bool plain = manual != nullptr || (sharding.replicated.empty() && sharding.unreduced.empty());
  std::string text;
  for (const mesh::DimSharding& dim : sharding.dims) {
    mesh::AxisList axes = manual != nullptr ? mesh::Intersect(dim.axes, *manual) : dim.axes;
    std::string names = AxisNameList(mesh, axes);
    plain = plain && llvm::all_of(axes, [&](const mesh::AxisRef& ref) { return mesh::IsWhole(mesh, ref); });
    bool open = manual == nullptr && dim.open;
    plain = plain && (manual != nullptr || dim.priority == mesh::kNoPriority) && !(open && !axes.empty());
    std::string entry = axes.empty()       ? (open ? "P.UNCONSTRAINED" : "None")
                        : axes.size() == 1 ? names
                                           : "(" + names + ")";
    text += (text.empty() ? "" : ", ") + entry;
  }
  auto add_set = [&](const char* name, const mesh::AxisList& axes) {
    text += axes.empty() ? "" : (text.empty() ? "" : ", ") + std::string(name) + "={" + AxisNameList(mesh, axes) + "}";
  };
  if (manual != nullptr) {
    add_set("unreduced", sharding.unreduced);
    add_set("reduced", sharding.reduced);
  }
  return plain ? std::optional<std::string>("P(" + text + ")") : std::nullopt;
}

// Of the arrays outside: which manual axes they are reduced over is said by their types.
std::string Specs(const ir::Module& module, const ManualComputationAttrs& attrs,
                  llvm::ArrayRef<mesh::ShardingId> shardings, llvm::ArrayRef<ir::Type> types) {
  const ir::Tables& tables = *module.tables;
  std::string text;
  for (size_t i = 0; i < types.size(); ++i) {
    std::string spec = "P()";
    if (i < shardings.size() && shardings[i].valid()) {
      mesh::Sharding sharding = tables.shardings[shardings[i]];
      if (types[i].sharding.valid()) {
        sharding.reduced = mesh::Intersect(tables.shardings[types[i].sharding].reduced, attrs.manual_axes);
      }
      spec = Spec(tables.meshes[attrs.mesh], sharding, &attrs.manual_axes).value_or("P()");
    }
    text += (i == 0 ? "" : ", ") + spec;
  }
  return types.size() == 1 ? "(" + text + ",)" : "(" + text + ")";
}

}  // namespace

// `shard_map(body, mesh=mesh, in_specs=(...), out_specs=(...), axis_names={'x'})(a, b)`.
void PrintNativeManual(op::NativePrinter& p) {
  const auto& attrs = p.attrs<ManualComputationAttrs>();
  const ir::Tables& tables = *p.module().tables;
  const mesh::Mesh& mesh = tables.meshes[attrs.mesh];
  std::string names = AxisNameList(mesh, attrs.manual_axes);
  llvm::SmallVector<ir::Type, 4> operand_types, result_types;
  for (ir::ValueId v : p.function().operands(p.inst())) {
    operand_types.push_back(p.module().type(p.function(), v));
  }
  for (size_t i = 0; i < p.inst().num_results; ++i) {
    result_types.push_back(p.module().type(p.function(), p.function().result(p.inst(), i)));
  }
  std::string results = Specs(p.module(), attrs, attrs.out_shardings, result_types);
  if (p.inst().num_results == 1) {
    results = results.substr(1, results.size() - 3);  // the function returns no tuple
  }
  p.Callee("shard_map(" + p.Body(p.function().bodies(p.inst())[0]) + ", mesh=" + mesh.name +
           ", in_specs=" + Specs(p.module(), attrs, attrs.in_shardings, operand_types) + ", out_specs=" + results +
           ", axis_names={" + names + "})");
  p.Args(p.Operands(0, p.inst().num_operands));
}

// --- sharding_constraint ---

namespace {

bool FinishConstraint(op::StablehloReader& r, const op::MlirAttr& attr) {
  if (attr.kind != op::MlirAttr::Kind::Sharding) {
    return r.Fail(diag::Kind::ShardingText, "expected a sharding like <@mesh, [{\"x\"}, {}]>");
  }
  r.SetKind(ir::OpKind::ShardingConstraint);
  r.SetAttrs(r.module().tables->attrs.Add(ShardingConstraintAttrs{attr.sharding}));
  return true;
}

}  // namespace

// `%x <@mesh, [{"x"}]> : type`.
bool ParseConstraint(op::StablehloReader& r) {
  if (!r.Operand()) {
    return false;
  }
  auto sharding = r.Attribute();
  return sharding && FinishConstraint(r, *sharding) && r.ColonTypes();
}

bool GenericConstraint(op::StablehloReader& r) { return FinishConstraint(r, r.attr("sharding")); }

void PrintMlirConstraint(op::StablehloPrinter& p) {
  p.Pretty(p.Operand(0) + " " + p.Sharding(p.attrs<ShardingConstraintAttrs>().sharding));
}

namespace {

// How a constraint restates the operand's type along manual axes, if that is all it does: JAX's pcast.
struct Cast {
  mesh::AxisList axes;  // none: it is no cast
  llvm::StringRef to;
};

Cast CastOf(const op::NativePrinter& p, const mesh::Sharding& after) {
  const ir::Type& type = p.module().type(p.function(), p.function().operands(p.inst())[0]);
  const mesh::Sharding before = type.sharding.valid() ? p.module().tables->shardings[type.sharding]
                                                      : mesh::Replicated(after.mesh, after.dims.size());
  using Set = mesh::AxisList mesh::Sharding::*;
  constexpr std::pair<Set, llvm::StringLiteral> kStates[] = {
      {&mesh::Sharding::varying, "varying"},
      {&mesh::Sharding::unreduced, "unreduced"},
      {&mesh::Sharding::reduced, "reduced"},
  };
  for (const auto& [set, to] : kStates) {
    mesh::AxisList axes = mesh::Subtract(after.*set, before.*set);
    mesh::Sharding with = before;
    for (const auto& state : kStates) {
      with.*state.first = mesh::Subtract(with.*state.first, axes);
    }
    (with.*set).append(axes.begin(), axes.end());
    with.*set = mesh::AsSet(with.*set);
    bool of_terms = set == &mesh::Sharding::varying && !mesh::Intersect(before.unreduced, axes).empty();
    if (!axes.empty() && with == after && !of_terms) {
      return {axes, to};
    }
  }
  return {};
}

}  // namespace

void PrintNativeConstraint(op::NativePrinter& p) {
  const ir::Tables& tables = *p.module().tables;
  bool changes_type = p.inst().out_sharding.valid();
  const auto& attrs = p.attrs<ShardingConstraintAttrs>();
  mesh::ShardingId id = changes_type ? p.inst().out_sharding : attrs.sharding;
  if (!id.valid()) {
    p.Callee("spmdc.constraint");
    return;
  }
  const mesh::Sharding& sharding = tables.shardings[id];
  const mesh::Mesh& mesh = tables.meshes[sharding.mesh];
  const Cast cast = changes_type ? CastOf(p, sharding) : Cast();
  if (auto axes = AxisNames(tables, sharding.mesh, cast.axes)) {
    p.Callee("lax.pcast");
    p.Args(p.Operand(0) + ", " + *axes);
    p.Keyword("to", "'" + cast.to.str() + "'");
    return;
  }
  if (changes_type) {
    p.Callee("reshard");
    p.Args(p.Operand(0) + ", " + mesh::ToSpec(mesh, sharding));
    return;
  }
  auto spec = Spec(mesh, sharding, nullptr);
  if (spec) {
    p.Callee("lax.with_sharding_constraint");
    p.Args(p.Operand(0) + ", " + *spec);
    return;
  }
  std::string text = mesh::ToSdy(mesh, sharding);
  for (char& c : text) {
    c = c == '"' ? '\'' : c;
  }
  p.Callee("spmdc.constraint");
  p.Args(p.Operand(0) + ", \"" + text + "\"");
}

}  // namespace spmdc::ops
