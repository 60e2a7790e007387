// What Shardy's export says in StableHLO without its own dialect: in strings of frontend attributes, and in custom calls.
//
//   module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"x\"=4]>}"}} {
//   %arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\"x\"}]>"}}
//   %1 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%0) {...}        %0, and where it is wanted as a result
//   stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {...}                  a sharding_group
//   stablehlo.custom_call @xla.sdy.PropagationBarrier(%0) {...}             a propagation_barrier
//   stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {...}             an end of a manual region (ops/gspmd_manual.h)
//
// In a module with such meshes tile shardings of values do not count, as XLA has it: `mhlo.sharding = "{replicated}"` stands at
// all results there of which nothing was said.
#include "mesh/sdy_carried.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/manual_axes.h"
#include "ops/opaque.h"
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

namespace {

constexpr llvm::StringLiteral kFrontend = "mhlo.frontend_attributes";

// How many bytes of a quoted string the first one of its value takes.
size_t EscapedSize(llvm::StringRef quoted) {
  if (quoted[0] != '\\' || quoted.size() < 2) {
    return 1;
  }
  bool hex = quoted.size() > 2 && llvm::isHexDigit(quoted[1]) && llvm::isHexDigit(quoted[2]);
  return hex ? 3 : 2;
}

}  // namespace

// Points at the byte of the string that is wrong.
bool Parser::FailInString(const op::MlirAttr& string, const mesh::TextError& error) {
  llvm::StringRef rest = lex_.Slice(string.span.begin, string.span.end).drop_front();
  for (size_t i = 0; i < error.offset && rest.size() > 1; ++i) {
    rest = rest.drop_front(EscapedSize(rest));
  }
  return Fail(op::KindOf(error), SpanOf(rest.substr(0, 1)), error.message);
}

// Takes what says where values are; the rest is kept as text.
bool Parser::ReadFrontendAttributes(Dict& dict) {
  lex_.Peek();
  size_t begin = lex_.pos();
  bool skipped = SkipAttr();
  llvm::StringRef text = lex_.Slice(begin, lex_.pos());
  if (skipped && text.find("xla.sdy.") == llvm::StringRef::npos) {
    dict.side.entries.emplace_back(kFrontend.str(), ExpandAliases(text));
    return true;
  }
  lex_.set_pos(begin);
  auto attributes = ReadAttr();
  if (!attributes) {
    return false;
  }
  std::string rest;
  for (auto& [name, value] : attributes->fields) {
    bool sharding = name == "xla.sdy.sharding";
    if (StartsWith(name, "xla.sdy.") && value.kind != op::MlirAttr::Kind::String) {
      dict.told = !Fail(diag::Kind::ShardingText, value.span, name + ": expected a string");
    } else if (sharding) {
      dict.told |= !ReadCarriedShardings(value, dict.shardings);
    }
    if (sharding) {
      dict.sharding_span = value.span;
    } else if (name != "xla.sdy.meshes" && name != "xla.sdy.tuple_args_shardings" &&
               name != "xla.sdy.tuple_results_shardings") {
      rest += (rest.empty() ? "" : ", ") + name + " = " + ExpandAliases(lex_.Slice(value.span.begin, value.span.end));
    }
    dict.carried.emplace_back(std::move(name), std::move(value));
  }
  if (!rest.empty()) {
    dict.side.entries.emplace_back(kFrontend.str(), "{" + rest + "}");
  }
  return true;
}

// `"{mesh = #sdy.mesh<[\"x\"=4]>, ...}"`
bool Parser::ReadCarriedMeshes(const op::MlirAttr& string) {
  llvm::StringRef rest = string.text;
  while (true) {
    auto offset = static_cast<size_t>(rest.data() - string.text.data());
    mesh::Mesh mesh;
    if (auto error = mesh::TakeSdyMesh(rest, mesh)) {
      error->offset += offset;
      error->message = "mesh " + mesh.name + ": " + error->message;
      return FailInString(string, *error);
    }
    if (mesh.name.empty()) {
      break;
    }
    AddMesh(mesh.name, mesh, string.span);
  }
  has_carried_meshes_ = true;
  if (has_hlo_shardings_ && !meshes_.empty()) {  // tile shardings beside them are of the same mesh
    hlo_mesh_ = module_.mesh = meshes_[0].first;
  }
  return true;
}

// `xla.sdy.tuple_args_shardings = "#sdy.sharding_per_value<[...]>"` of the module: where the arguments of the entry are, which are
// one tuple to the caller; likewise its results.
bool Parser::PlaceTuples() {
  auto place = [&](const op::MlirAttr& said, llvm::ArrayRef<ir::ValueId> values, std::vector<ir::BoundaryInfo>& infos) {
    std::vector<mesh::ShardingId> ids;
    if (!said || !ReadCarriedShardings(said, ids)) {
      return !said;
    }
    if (ids.size() != values.size()) {
      return Fail(diag::Kind::Annotation, said.span,
                  std::to_string(ids.size()) + " shardings for " + std::to_string(values.size()) + " values");
    }
    const ir::Function& entry = module_.functions[module_.entry];
    for (size_t i = 0; i < values.size(); ++i) {
      infos[i].sharding = OfRank(ids[i], module_.type(entry, values[i]).rank());
      infos[i].pinned = true;
    }
    return true;
  };
  ir::Function& entry = module_.functions[module_.entry];
  return place(tuple_args_, entry.args, entry.arg_info) && place(tuple_results_, entry.results, entry.result_info);
}

const op::MlirAttr* OpReader::Carried(llvm::StringRef key) const {
  auto found = llvm::find_if(dict_.carried, [&](const auto& field) { return field.first == key; });
  return found == dict_.carried.end() ? nullptr : &found->second;
}

bool OpReader::MakeSdyCall(llvm::StringRef target, std::string text) {
  llvm::StringRef name = target.substr(target.rfind('.') + 1);
  if (dict_.told) {
    return MakeOpaque(std::move(text));
  }
  if (name == "GlobalToLocalShape" || name == "LocalToGlobalShape") {
    return MakeManualEnd(name == "GlobalToLocalShape", std::move(text));
  }
  if (name == "FuncResultSharding") {
    if (operands_.size() != 1 || binders_.size() != 1 || result_type_ids_.size() != 1 || dict_.shardings.size() != 1) {
      return Fail(diag::Kind::Attribute, "a call of FuncResultSharding has one operand and a sharding");
    }
    is_operand_ = true;
    return MakeOpaque(std::move(text));
  }
  if (name == "PropagationBarrier") {
    return MakeBarrier();
  }
  if (name != "ShardingGroup") {
    return MakeOpaque(std::move(text));
  }
  const op::MlirAttr* id = Carried("xla.sdy.sharding_group_id");
  std::optional<int64_t> group = id == nullptr ? std::nullopt : mesh::ParseCarriedGroup(id->text);
  if (!group || operands_.size() != 1 || !result_type_ids_.empty()) {
    return Fail(diag::Kind::Attribute,
                "a call of ShardingGroup has one operand and xla.sdy.sharding_group_id = \"0 : i64\"");
  }
  llvm::erase_if(dict_.side.entries, [](const auto& entry) { return entry.first == kFrontend; });
  SetKind(ir::OpKind::Opaque);
  SetAttrs(module().tables->attrs.Add(ops::ShardingGroup(*group)));
  return true;
}

// `custom_call @xla.sdy.PropagationBarrier(%0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "2 : i32"}}`
bool OpReader::MakeBarrier() {
  const op::MlirAttr* said = Carried("xla.sdy.allowed_direction");
  auto direction = said == nullptr ? std::nullopt : ops::CarriedDirection(said->text);
  if (!direction || operands_.size() != 1 || operand_type_ids_ != result_type_ids_) {
    return Fail(diag::Kind::Attribute,
                "a call of PropagationBarrier has one operand, a result of its type and xla.sdy.allowed_direction = "
                "\"0 : i32\" (1: forward, 2: backward)");
  }
  llvm::erase_if(dict_.side.entries, [](const auto& entry) { return entry.first == kFrontend; });
  SetKind(ir::OpKind::Opaque);
  SetAttrs(module().tables->attrs.Add(ops::PropagationBarrier(*direction, result_types()[0])));
  return true;
}

// Kept as it is until the whole region is there; what its attributes say is read here.
bool OpReader::MakeManualEnd(bool cut, std::string text) {
  llvm::StringRef key = cut ? "xla.sdy.in_shardings" : "xla.sdy.out_shardings";
  const op::MlirAttr* said = Carried(key);
  const op::MlirAttr* axes = Carried("xla.sdy.manual_axes");
  if (said == nullptr || axes == nullptr) {
    return Fail(diag::Kind::Attribute, "an end of a manual region without " +
                                           (said == nullptr ? key.str() : std::string("xla.sdy.manual_axes")));
  }
  std::vector<mesh::ShardingId> shardings;
  if (!parser_.ReadCarriedShardings(*said, shardings)) {
    return false;
  }
  if (operands_.size() != result_type_ids_.size() || operands_.size() != shardings.size()) {
    return parser_.Fail(diag::Kind::Annotation, said->span,
                        std::to_string(shardings.size()) + " shardings for " + std::to_string(operands_.size()) +
                            " operands and " + std::to_string(result_type_ids_.size()) + " results");
  }
  ops::ManualComputationAttrs attrs;
  auto& list = cut ? attrs.in_shardings : attrs.out_shardings;
  for (size_t i = 0; i < shardings.size(); ++i) {
    list.push_back(parser_.OfRank(shardings[i], parser_.type(result_type_ids_[i]).rank()));
  }
  auto names = mesh::ParseManualAxes(axes->text);
  if (!names) {
    return parser_.Fail(diag::Kind::ShardingText, axes->span,
                        "expected manual axes like \"#sdy<manual_axes{\\\"x\\\"}>\"");
  }
  if (auto error = ops::SetManualAxes(module(), *names, attrs)) {
    return parser_.Fail(error->kind, axes->span, error->message);
  }
  if (!MakeOpaque(std::move(text))) {
    return false;
  }
  parser_.manual_ends_[attrs_] = std::move(attrs);
  return true;
}

// Ends that are left are those of no region.
bool Parser::CheckManualEnds() {
  bool good = true;
  for (const ir::Function& function : module_.functions) {
    for (const ir::Inst& inst : function.insts) {
      if (inst.attrs.valid() && manual_ends_.count(inst.attrs) != 0) {
        good = Fail(diag::Kind::UnsupportedFeature, inst.span,
                    "custom_call: no manual region lies here: GlobalToLocalShape makes all operands of one call, and "
                    "LocalToGlobalShape takes its results, with the same manual axes");
      }
    }
  }
  return good;
}

}  // namespace spmdc::text::stablehlo
