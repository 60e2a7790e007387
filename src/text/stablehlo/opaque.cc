// Ops that this tool does not know, kept as text, and custom calls.
#include "ops/opaque.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/custom_call_text.h"
#include "ops/gspmd_manual.h"
#include "ops/sharding.h"
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

namespace {

// Where the types of a pretty form begin: behind the last ` : ` outside brackets and strings. npos if there is none.
size_t TypesOf(llvm::StringRef text) {
  size_t found = llvm::StringRef::npos;
  Lexer lex(text);
  while (lex.pos() < text.size()) {
    char c = text[lex.pos()];
    if (c == '"') {
      if (lex.Quoted().empty()) {
        return found;
      }
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (!lex.SkipBalanced()) {
        return found;
      }
    } else {
      if (c == ':') {
        found = lex.pos() + 1;
      }
      lex.set_pos(lex.pos() + 1);
    }
  }
  return found;
}

}  // namespace

// Takes the attributes off the end of a pretty form: ` {a = 1, sdy.sharding = ...}`. Other braces stay.
bool OpReader::ReadTrailingDict(llvm::StringRef& head) {
  if (!EndsWith(head.rtrim(), "}")) {
    return true;
  }
  Lexer scan(head);
  size_t open = llvm::StringRef::npos, close = 0;
  while (scan.pos() < head.size()) {
    char c = head[scan.pos()];
    size_t begin = scan.pos();
    bool bracket = c == '(' || c == '[' || c == '{' || c == '<';
    if (bracket ? !scan.SkipBalanced() : c == '"' && scan.Quoted().empty()) {
      return true;
    }
    if (c == '{') {
      open = begin;
      close = scan.pos();
    }
    if (scan.pos() == begin) {
      scan.set_pos(begin + 1);
    }
  }
  if (open == llvm::StringRef::npos || close != head.rtrim().size()) {
    return true;
  }
  parser_.lex_.set_pos(static_cast<size_t>(head.data() - parser_.lex_.text().data()) + open + 1);
  head = head.substr(0, open);
  dict_.keep_text = true;
  return parser_.ReadDict(dict_);
}

// The operands among a piece of the text, each replaced by `%` and its number.
bool OpReader::ReadInlineOperands(llvm::StringRef piece, std::string& text) {
  Lexer& lex = parser_.lex_;
  auto end = static_cast<size_t>(piece.end() - lex.text().data());
  size_t copied = static_cast<size_t>(piece.begin() - lex.text().data());
  lex.set_pos(copied);
  while (lex.pos() < end) {
    char c = lex.text()[lex.pos()];
    if (c == '"' && !lex.Quoted().empty()) {
      continue;
    }
    if (c != '%') {
      lex.set_pos(lex.pos() + 1);
      continue;
    }
    text += lex.Slice(copied, lex.pos());
    text += "%" + std::to_string(operands_.size());
    if (!Operand()) {
      return false;
    }
    copied = lex.pos();
  }
  text += lex.Slice(copied, end);
  return true;
}

// To the end of the line, or of the last bracket that opens on it. Operands are the `%names` on the way.
bool OpReader::ReadOpaquePretty() {
  Lexer& lex = parser_.lex_;
  size_t begin = lex.pos();
  lex.SkipOp();
  llvm::StringRef text = lex.Slice(begin, lex.pos());
  size_t loc = text.rfind(" loc(");
  text = text.substr(0, loc).rtrim();
  size_t types = TypesOf(text);
  if (types == llvm::StringRef::npos) {
    return Fail(diag::Kind::Syntax, "has no type");
  }
  llvm::StringRef head = text.substr(0, types - 1);
  if (!ReadTrailingDict(head)) {
    return false;
  }
  std::string rest;
  if (!ReadInlineOperands(head, rest)) {
    return false;
  }
  lex.set_pos(begin + types);
  rest = parser_.ExpandAliases(llvm::StringRef(rest).trim());
  rest += dict_.text.empty() ? "" : " {" + dict_.text + "}";
  if (lex.Peek() == '(') {
    if (!parser_.ReadFunctionType(operand_type_ids_, result_type_ids_)) {
      return false;
    }
  } else {
    lex.set_pos(begin + types - 1);
    if (!ColonTypes()) {
      return false;
    }
  }
  if (operand_type_ids_.size() != operands_.size()) {
    operand_type_ids_.clear();
    for (ir::ValueId id : operands_) {
      operand_type_ids_.push_back(id.valid() ? scope_.function.values[id].type : ir::TypeId());
    }
  }
  return MakeOpaque(std::move(rest), parser_.ExpandAliases(text.substr(types).trim()));
}

// `<"name">(%a) in_shardings=[...] out_shardings=[...] (%arg: type) { region } : (types) -> types`
bool OpReader::ReadNamedComputation() {
  Lexer& lex = parser_.lex_;
  if (!Expect("<")) {
    return false;
  }
  llvm::StringRef name = lex.Quoted();
  if (name.empty()) {
    return parser_.FailExpected("a name in quotes");
  }
  if (!Expect(">") || !Expect("(") || !OperandList(")") || !Expect(")")) {
    return false;
  }
  std::string properties;
  for (const char* key : {"in_shardings", "out_shardings"}) {
    if (!lex.Take(key)) {
      continue;
    }
    if (!Expect("=")) {
      return false;
    }
    if (lex.Peek() != '[') {
      return parser_.FailExpected("`[` and shardings");
    }
    size_t begin = lex.pos();
    if (!lex.SkipBalanced()) {
      return parser_.FailExpected("`]`");
    }
    properties += std::string(key) + " = #sdy.sharding_per_value<" + lex.Slice(begin, lex.last_end()).str() + ">, ";
  }
  if (!Expect("(")) {
    return false;
  }
  llvm::SmallVector<RegionArg, 4> args;
  while (!lex.Take(')')) {
    std::optional<RegionArg> arg;
    if ((!args.empty() && !Expect(",")) || !(arg = DefineName())) {
      return false;
    }
    args.push_back(std::move(*arg));
  }
  return Region(args) && OptionalDict() && ColonTypes() &&
         MakeOpaque("<{" + properties + "name = " + name.str() + "}>");
}

// `@target(%a, %b) {attrs} : types`
bool OpReader::ReadCustomCall() {
  Lexer& lex = parser_.lex_;
  if (lex.Peek() != '@') {
    return parser_.FailExpected("the target of a custom call");
  }
  auto target = parser_.ReadSymbolAttr();
  if (!target || !Expect("(") || !OperandList(")") || !Expect(")")) {
    return false;
  }
  dict_.keep_text = true;
  if (!ColonTypes()) {
    return false;
  }
  return MakeCustomCall(target->text, "<{call_target_name = " + Quoted(target->text) +
                                          (dict_.text.empty() ? "" : ", " + dict_.text) + "}>");
}

bool OpReader::MakeCustomCall(llvm::StringRef target, std::string text) {
  poisoned_ |= dict_.told;
  if (target == "Sharding" && !dict_.told) {
    return MakeConstraint();
  }
  if (StartsWith(target, "xla.sdy.")) {
    return MakeSdyCall(target, std::move(text));
  }
  if (!ReadCalled()) {
    return false;
  }
  const op::OpDef* known = op::FindByCustomCall(target);
  return known != nullptr ? MakeKnownCall(*known)
                          : MakeOpaque(bodies_.empty() ? std::move(text) : ops::NumberCalled(text, bodies_.size()));
}

// The functions that a custom call names are its bodies.
bool OpReader::ReadCalled() {
  for (const op::MlirAttr& called : attr("called_computations").items) {
    if (called.kind != op::MlirAttr::Kind::Symbol) {
      return parser_.Fail(diag::Kind::Attribute, called.span, "called_computations: expected the name of a function");
    }
    bodies_.push_back(parser_.FunctionByName(called.text, called.span));
  }
  return true;
}

// An op that StableHLO has as a custom call: its functions are bodies, and its hook reads `mhlo.backend_config`.
bool OpReader::MakeKnownCall(const op::OpDef& def) {
  constexpr llvm::StringLiteral kConfig = "mhlo.backend_config";
  SetKind(def.kind);
  for (auto& [name, value] : dict_.fields) {
    if (name == kConfig && !parser_.ReadKeptAttr(value)) {
      return false;
    }
  }
  llvm::erase_if(dict_.side.entries, [&](const auto& entry) { return entry.first == kConfig; });
  return def.from_generic == nullptr || def.from_generic(*this);
}

// A custom call "Sharding" is how a constraint is written without sdy.
bool OpReader::MakeConstraint() {
  if (operands_.size() != 1 || result_type_ids_.size() != 1) {
    return Fail(diag::Kind::OperandCount, "a call of Sharding has one operand and one result");
  }
  const op::MlirAttr& text = attr("mhlo.sharding");
  std::optional<mesh::ShardingId> id;
  if (dict_.shardings.size() == 1) {
    id = dict_.shardings[0];
  } else if (text && dict_.shardings.empty()) {
    id = parser_.HloSharding(text.text, parser_.type(result_type_ids_[0]).rank(), text.span);
  } else {
    return Fail(diag::Kind::Annotation, "a call of Sharding needs one sharding");
  }
  if (!id) {
    return false;
  }
  mesh::Sharding sharding = module().tables->shardings[*id];
  if (ops::OpenUnspecifiedDims(attr("backend_config").text, sharding)) {
    id = module().tables->shardings.Intern(sharding);
  }
  dict_.shardings.clear();
  llvm::erase_if(dict_.fields, [](const auto& field) { return field.first == "mhlo.sharding"; });
  SetKind(ir::OpKind::ShardingConstraint);
  SetAttrs(module().tables->attrs.Add(ops::ShardingConstraintAttrs{*id}));
  return true;
}

bool OpReader::MakeOpaque(std::string text, std::string types) {
  ops::OpaqueAttrs attrs;
  auto [dialect, mnemonic] = name_.split('.');
  attrs.name = (dialect == "mhlo" && !IsMhloAlone(name_) ? "stablehlo" : dialect).str() + "." + mnemonic.str();
  attrs.text = std::move(text);
  attrs.types = std::move(types);
  for (const ir::Type& type : result_types()) {
    attrs.result_types.push_back(type);
  }
  if (std::string layouts = attrs.name == "stablehlo.custom_call" ? ops::ResultLayouts(attrs) : ""; !layouts.empty()) {
    dict_.side.entries.emplace_back("layout", std::move(layouts));
  }
  constexpr llvm::StringLiteral kBatchDims = "num_batch_dims = \"";
  for (const auto& [name, value] : dict_.side.entries) {
    size_t at = name == "mhlo.frontend_attributes" ? llvm::StringRef(value).find(kBatchDims) : llvm::StringRef::npos;
    if (at != llvm::StringRef::npos) {
      llvm::StringRef digits = llvm::StringRef(value).substr(at + kBatchDims.size());
      attrs.batch_dims = digits.consumeInteger(10, attrs.batch_dims) || attrs.batch_dims < 0 ? 0 : attrs.batch_dims;
    }
  }
  SetKind(ir::OpKind::Opaque);
  SetAttrs(module().tables->attrs.Add(std::move(attrs)));
  return true;
}

}  // namespace spmdc::text::stablehlo
