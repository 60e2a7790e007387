// One op: its results' names, its form, its checks, and the instruction that it becomes.
#include "llvm/ADT/STLExtras.h"
#include "ops/dot.h"
#include "ops/elementwise.h"
#include "ops/sharding.h"
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

bool IsTerminator(llvm::StringRef name) {
  return name == "return" || name == "func.return" || name == "stablehlo.return" || name == "sdy.return" ||
         name == "mhlo.return";
}

}  // namespace

// To the closing brace of the region (not taken), or to the end of the file.
void Parser::ReadOps(Scope& scope) {
  while (true) {
    char c = lex_.Peek();
    if (c == '}' || c == '^' || lex_.AtEnd()) {
      return;
    }
    size_t begin = lex_.pos();
    if (!ReadOp(scope)) {
      scope.broken = true;
      if (lex_.pos() == begin) {
        lex_.set_pos(begin + 1);
      } else if (lex_.Slice(std::min(lex_.last_end(), lex_.pos()), lex_.pos()).trim().empty()) {
        lex_.set_pos(lex_.last_end());  // looking ahead has come to the next line
      }
      lex_.SkipOp();
    }
  }
}

bool Parser::ReadOp(Scope& scope) {
  if (std::optional<bool> repeated = RepeatLine(scope)) {
    return *repeated;
  }
  OpReader reader(*this, scope);
  if (lex_.Peek() == '%' && !reader.ReadBinders()) {
    return false;
  }
  bool good = reader.Read();
  if (!good || reader.poisoned_) {
    reader.Poison();
  }
  return good;
}

// `%a`, `%a:2`, `%a, %b =`.
bool OpReader::ReadBinders() {
  Lexer& lex = parser_.lex_;
  do {
    if (!lex.Take('%')) {
      return parser_.FailExpected("the name of a result");
    }
    Binder binder;
    size_t begin = lex.pos() - 1;
    binder.name = lex.ValueName();
    binder.span = parser_.SpanOf(lex.Slice(begin, lex.pos()));
    if (lex.Take(':')) {
      binder.counted = true;
      if (lex.Digits().getAsInteger(10, binder.count)) {
        return parser_.FailExpected("the number of results");
      }
    }
    binders_.push_back(binder);
  } while (lex.Take(','));
  return parser_.Expect("=");
}

bool OpReader::Read() {
  Lexer& lex = parser_.lex_;
  bool generic = lex.Peek() == '"';
  size_t begin = lex.pos();
  llvm::StringRef quoted = generic ? lex.Quoted() : llvm::StringRef();  // empty where its end is missing
  name_ = generic ? quoted.substr(1, quoted.size() < 2 ? 0 : quoted.size() - 2) : lex.Word();
  if (name_.empty()) {
    return parser_.FailExpected("an op");
  }
  span_ = {parser_.file_, static_cast<uint32_t>(begin), lex.pos()};
  if (IsTerminator(name_)) {
    return parser_.ReadTerminator(scope_, generic);
  }
  if (name_ == "call" || name_ == "func.call") {
    return parser_.ReadCall(*this, generic) && Emit();
  }
  if (name_ == "stablehlo.composite") {
    return parser_.ReadComposite(*this, generic) && Emit();
  }
  if (EndsWith(name_, ".get_tuple_element")) {
    return ReadTupleElement(generic);
  }
  if (name_ == "stablehlo.tuple" || name_ == "mhlo.tuple") {
    return ReadTuple(generic);
  }
  size_t told = parser_.diags_.all().size();
  if (!Find() || !(generic ? ReadGeneric() : ReadPretty())) {
    return false;
  }
  if (took_tuple_ && binders_.size() == 1 && !binders_[0].counted) {
    binders_[0].counted = true;
    binders_[0].count = static_cast<uint32_t>(result_type_ids_.size());
  }
  const LineForm& form = parser_.form_;
  bool whole_line = form.begin == begin && lex.last_end() <= form.end && !took_tuple_ &&
                    lex.Slice(lex.last_end(), form.end).trim().empty();
  if (!parser_.ReadOptionalLoc(&source_) || !Emit()) {
    return false;
  }
  if (whole_line && IsLikeItsLine() && parser_.diags_.all().size() == told) {
    Remember();
  }
  return true;
}

// The definition behind the name. False for what is no op at all, and for CHLO's composites that no kind stands for.
bool OpReader::Find() {
  auto [dialect, mnemonic] = name_.split('.');
  def_ = op::FindByName(name_);
  if (dialect == "mhlo" || (dialect == "chlo" && def_ == nullptr)) {
    def_ = op::FindByName("stablehlo." + (mnemonic == "square" ? "multiply" : mnemonic.str()));
  }
  if (def_ == nullptr && IsMhloAlone(name_)) {
    def_ = op::FindByName("chlo." + mnemonic.str());
  }
  if (dialect == "chlo" && def_ != nullptr && !def_->elementwise && def_->dialect != "chlo") {
    def_ = nullptr;
  }
  if (def_ == nullptr) {
    def_ = DefOfOtherName(name_);
  }
  if (def_ != nullptr) {
    return true;
  }
  if (!IsKnownOpName(name_)) {
    return FailUnknown();
  }
  def_ = &op::Def(ir::OpKind::Opaque);
  return true;
}

// Told with the nearest name of the dialect, or of StableHLO where the name has none.
bool OpReader::FailUnknown() {
  auto [dialect, mnemonic] = name_.split('.');
  bool bare = mnemonic.empty();
  llvm::StringRef of = bare ? "stablehlo" : dialect;
  std::vector<std::string> names;
  for (llvm::StringRef known : OpNames(of)) {
    names.push_back(of.str() + "." + known.str());
  }
  std::string nearest = diag::Nearest(bare ? "stablehlo." + name_.str() : name_.str(), names);
  return parser_.Fail(diag::Kind::UnknownOp, span_, "unknown op `" + name_.str() + "`",
                      nearest.empty() ? "" : "did you mean `" + nearest + "`?");
}

bool OpReader::ReadPretty() {
  if (EndsWith(name_, ".custom_call")) {
    return ReadCustomCall();
  }
  if (name_ == "sdy.named_computation") {
    return ReadNamedComputation();
  }
  if (def_->kind == ir::OpKind::Opaque) {
    return ReadOpaquePretty();
  }
  if (EndsWith(name_, ".dot")) {
    return ReadPlainDot() && OptionalDict();
  }
  // CHLO spells the ops that it shares with StableHLO in its own way.
  bool own_form = def_->parse_stablehlo != nullptr && (!StartsWith(name_, "chlo.") || def_->dialect == "chlo");
  if (!(own_form ? def_->parse_stablehlo(*this) : ReadDefaultForm())) {
    return false;
  }
  return OptionalDict();
}

// `%a, %b {attrs} : types`; `chlo.square %a` is `multiply %a, %a`.
bool OpReader::ReadDefaultForm() {
  if (!OperandList(":")) {
    return false;
  }
  if (!ColonTypes()) {
    return false;
  }
  if (name_ == "chlo.square" && operands_.size() == 1) {
    operands_.push_back(operands_[0]);
    operand_spans_.push_back(operand_spans_[0]);
    operand_type_ids_.push_back(operand_type_ids_[0]);
  }
  return def_->make_attrs == nullptr || def_->from_generic == nullptr || def_->from_generic(*this);
}

// `"op"(%a, %b) <{properties}> ({ regions }) {attributes} : (types) -> types`
bool OpReader::ReadGeneric() {
  Lexer& lex = parser_.lex_;
  if (!Expect("(") || !OperandList(")") || !Expect(")")) {
    return false;
  }
  bool opaque = def_->kind == ir::OpKind::Opaque;
  dict_.keep_text = opaque;
  if (lex.Take('<') && (!Expect("{") || !parser_.ReadDict(dict_) || !Expect(">"))) {
    return false;
  }
  if (lex.Take('(')) {
    do {
      if (!parser_.ReadRegion(*this, {})) {
        return false;
      }
    } while (lex.Take(','));
    if (!Expect(")")) {
      return false;
    }
  }
  if (!OptionalDict() || !Expect(":") || !parser_.ReadFunctionType(operand_type_ids_, result_type_ids_)) {
    return false;
  }
  if (opaque) {
    llvm::StringRef target = EndsWith(name_, ".custom_call") ? llvm::StringRef(attr("call_target_name").text) : "";
    return MakeCustomCall(target, dict_.text.empty() ? "" : "<{" + dict_.text + "}>");
  }
  if (name_ == "chlo.square" && operands_.size() == 1) {
    operands_.push_back(operands_[0]);
    operand_spans_.push_back(operand_spans_[0]);
    operand_type_ids_.push_back(operand_type_ids_[0]);
  }
  if (EndsWith(name_, ".if")) {
    return MakeCase();
  }
  if (EndsWith(name_, ".dot")) {
    return MakeDot(ops::PrecisionOf(attr("precision_config")));
  }
  return def_->from_generic == nullptr || def_->from_generic(*this);
}

// `"stablehlo.if"(%flag) ({ true }, { false })` is a case of the flag as a number, whose branch 0 is the false one.
bool OpReader::MakeCase() {
  if (operands_.size() != 1 || bodies_.size() != 2 || operand_type_ids_.size() != 1) {
    return Fail(diag::Kind::OperandCount, "has one operand and two regions");
  }
  if (parser_.type(operand_type_ids_[0]) != ir::ArrayType(tensor::DType::Pred, {})) {
    return Fail(diag::Kind::ControlFlowForm,
                "the flag is " + ir::ToString(*module().tables, operand_type_ids_[0]) + ", expected pred[]");
  }
  if (poisoned_) {
    return true;
  }
  if (!CheckOperandTypes()) {
    return false;
  }
  std::swap(bodies_[0], bodies_[1]);
  std::swap(body_captures_[0], body_captures_[1]);
  ir::Inst convert;
  convert.op = ir::OpKind::Convert;
  convert.span = span_;
  convert.attrs = module().tables->attrs.Add(ops::ConvertAttrs{tensor::DType::S32});
  ir::Value index;
  index.type = module().tables->types.Intern(ir::ArrayType(tensor::DType::S32, {}));
  index.span = span_;
  // No name in a text begins with a digit and goes on with something else.
  index.name = "0" + (binders_.empty() ? "" : "." + binders_[0].name.str()) + ".index";
  ir::InstId id = scope_.function.AddInst(convert, operands_, {}, index);
  operands_[0] = scope_.function.result(scope_.function.insts[id]);
  operand_type_ids_[0] = index.type;
  return true;
}

// `return %a, %b : types`, `"stablehlo.return"(%a) : (types) -> ()`.
bool Parser::ReadTerminator(Scope& scope, bool generic) {
  llvm::SmallVector<ir::TypeId, 4> types;
  size_t begin = lex_.pos();
  if (generic && !Expect("(")) {
    return false;
  }
  lex_.Peek();
  while (lex_.Peek() == '%') {
    llvm::StringRef name = lex_.text().substr(lex_.pos() + 1).take_while(IsNameChar);
    if (const Tuple* tuple = TupleOf(scope, name)) {
      AddLeaves(*tuple, scope.function.results);
      lex_.TakeAt(lex_.pos() + 1 + name.size());
      if (!lex_.Take(',')) {
        break;
      }
      continue;
    }
    auto value = ReadUse(scope, &name);
    if (!value) {
      return false;
    }
    auto wanted = scope.wanted.find(name);
    size_t number = scope.function.results.size();
    if (wanted != scope.wanted.end() && number < scope.function.result_info.size()) {
      scope.function.result_info[number].sharding = wanted->second;
      scope.function.result_info[number].pinned = true;
    }
    scope.broken |= !value->valid();
    scope.function.results.push_back(*value);
    if (!lex_.Take(',')) {
      break;
    }
  }
  if (generic) {
    Dict dict;
    if (!Expect(")") || (lex_.Take('<') && (!Expect("{") || !ReadDict(dict) || !Expect(">"))) ||
        (lex_.Take('{') && !ReadDict(dict)) || !Expect(":") || !Expect("(") ||
        (lex_.Peek() != ')' && !ReadFlatTypes(types)) || !Expect(")") || !Expect("->") || !Expect("(") ||
        !Expect(")")) {
      return false;
    }
  } else {
    Dict dict;
    if (lex_.Take('{') && !ReadDict(dict)) {
      return false;
    }
    if (lex_.Take(':') ? !ReadFlatTypes(types) : !scope.function.results.empty() && !Expect(":")) {
      return false;
    }
  }
  source::Span span = SpanOf(lex_.Slice(begin, lex_.last_end()).trim());
  if (types.size() != scope.function.results.size()) {
    return Fail(diag::Kind::OperandCount, span,
                "returns " + std::to_string(scope.function.results.size()) + " values and " +
                    std::to_string(types.size()) + " types");
  }
  for (size_t i = 0; i < types.size() && !scope.broken; ++i) {
    const ir::Value& value = scope.function.values[scope.function.results[i]];
    if (value.type != types[i]) {
      return Fail(diag::Kind::ShapeRule, span,
                  "%" + value.name + " is " + ir::ToString(*module_.tables, value.type) + ", returned as " +
                      ir::ToString(*module_.tables, types[i]));
    }
  }
  if (scope.broken) {
    scope.function.results.clear();  // some are no values
  } else if (scope.function.result_info.empty()) {
    ir::BoundaryInfo info;
    info.span = span;
    scope.function.result_info.assign(types.size(), info);
  }
  scope.ended = true;
  return ReadOptionalLoc(nullptr);
}

// `call @f(%a) : (types) -> types`, `"func.call"(%a) <{callee = @f}> : ...`.
bool Parser::ReadCall(OpReader& reader, bool generic) {
  reader.def_ = &op::Def(ir::OpKind::Call);
  llvm::StringRef callee;
  std::optional<op::MlirAttr> symbol;
  if (!generic) {
    if (lex_.Peek() != '@') {
      return FailExpected("the name of a function");
    }
    symbol = ReadSymbolAttr();
    if (!symbol) {
      return false;
    }
    callee = symbol->text;
  }
  return Expect("(") && reader.OperandList(")") && Expect(")") && ReadCallee(reader, generic, callee, "callee");
}

// `composite "name" %a {decomposition = @f} : types`, `"stablehlo.composite"(%a) <{decomposition = @f}> : ...`: a call of the
// function that says what it computes, which remembers whom it stands for.
bool Parser::ReadComposite(OpReader& reader, bool generic) {
  reader.def_ = &op::Def(ir::OpKind::Call);
  std::string name;
  if (generic) {
    if (!Expect("(") || !reader.OperandList(")") || !Expect(")") || !ReadCallee(reader, true, "", "decomposition")) {
      return false;
    }
    name = reader.attr("name").text;
  } else {
    llvm::StringRef quoted = lex_.Peek() == '"' ? lex_.Quoted() : "";
    if (quoted.empty()) {
      return FailExpected("the name of a composite");
    }
    name = Unquote(quoted);
    if (!reader.OperandList("{") || !ReadCallee(reader, false, "", "decomposition")) {
      return false;
    }
  }
  NoteComposite(reader, name);
  return true;
}

// As XLA says it in HLO: `is_composite=true, frontend_attributes={composite.attributes={n = 1 : i64},composite.name="f",...}`.
void Parser::NoteComposite(OpReader& reader, llvm::StringRef name) {
  const op::MlirAttr& attributes = reader.attr("composite_attributes");
  std::string fields = "composite.attributes=";
  fields += attributes ? ExpandAliases(lex_.Slice(attributes.span.begin, attributes.span.end)) : "{}";
  fields += ",composite.name=" + Quoted(name);
  fields += ",composite.version=\"" + std::to_string(reader.attr("version").integer) + "\"";
  reader.dict_.side.entries.emplace_back("frontend_attributes", "{" + fields + "}");
  reader.dict_.side.entries.emplace_back("is_composite", "true");
}

// What stands behind the operands of a call. The function is the one that the attribute names, if none is given.
bool Parser::ReadCallee(OpReader& reader, bool generic, llvm::StringRef callee, llvm::StringRef attribute) {
  if (generic && lex_.Take('<') && (!Expect("{") || !ReadDict(reader.dict_) || !Expect(">"))) {
    return false;
  }
  if (!reader.OptionalDict() || !Expect(":") || !ReadFunctionType(reader.operand_type_ids_, reader.result_type_ids_) ||
      !ReadOptionalLoc(&reader.source_)) {
    return false;
  }
  if (callee.empty()) {
    const op::MlirAttr* attr = reader.dict_.Find(attribute);
    if (attr == nullptr || attr->kind != op::MlirAttr::Kind::Symbol) {
      return reader.Fail(diag::Kind::Attribute, "expected the attribute " + attribute.str() + ", a function");
    }
    callee = attr->text;
  }
  reader.bodies_.push_back(FunctionByName(callee, reader.span_));
  return true;
}

bool OpReader::CheckOperandTypes() {
  if (operand_type_ids_.empty() && operands_.empty()) {
    return true;
  }
  if (operand_type_ids_.size() != operands_.size()) {
    return Fail(diag::Kind::OperandCount, "has " + std::to_string(operands_.size()) + " operands and " +
                                              std::to_string(operand_type_ids_.size()) + " types of operands");
  }
  for (size_t i = 0; i < operands_.size(); ++i) {
    const ir::Value& value = scope_.function.values[operands_[i]];
    if (value.type == operand_type_ids_[i]) {
      continue;
    }
    const ir::Tables& tables = *parser_.module_.tables;
    std::string message = "%" + value.name + " is " + ir::ToString(tables, value.type) + ", used as " +
                          ir::ToString(tables, operand_type_ids_[i]);
    source::Span span = i < operand_spans_.size() ? operand_spans_[i] : span_;
    parser_.diags_.Error(diag::Kind::ShapeRule, span, std::move(message))
        .Note(value.span, "%" + value.name + " is defined here");
    return false;
  }
  return true;
}

// One annotation for each result, if there are any.
bool OpReader::CheckShardings() {
  if (const op::MlirAttr* text = dict_.Find("mhlo.sharding");
      text != nullptr && !parser_.has_carried_meshes_ && dict_.shardings.empty() && result_type_ids_.size() == 1) {
    auto id = parser_.HloSharding(text->text, parser_.type(result_type_ids_[0]).rank(), text->span);
    if (!id) {
      return false;
    }
    dict_.shardings.push_back(*id);
  }
  // A call without results is placed all the same, on the device that makes it.
  if (result_type_ids_.empty() && dict_.shardings.size() == 1) {
    dict_.shardings.clear();
  }
  for (size_t i = 0; i < dict_.shardings.size() && i < result_type_ids_.size(); ++i) {
    dict_.shardings[i] = parser_.OfRank(dict_.shardings[i], parser_.type(result_type_ids_[i]).rank());
  }
  return dict_.shardings.empty() || dict_.shardings.size() == result_type_ids_.size() ||
         parser_.Fail(diag::Kind::Annotation, dict_.sharding_span,
                      std::to_string(dict_.shardings.size()) + " shardings for " +
                          std::to_string(result_type_ids_.size()) + " results");
}

llvm::SmallVector<ir::Value, 2> OpReader::NewResults() const {
  llvm::SmallVector<ir::Value, 2> results;
  for (const Binder& binder : binders_) {
    for (uint32_t i = 0; i < binder.count; ++i) {
      ir::Value& value = results.emplace_back();
      value.name = binder.name.str() + (binder.counted ? "#" + std::to_string(i) : "");
      value.span = binder.span;
      value.type = result_type_ids_[results.size() - 1];
      if (!dict_.shardings.empty()) {
        value.sharding = dict_.shardings[results.size() - 1];
      }
    }
  }
  return results;
}

// Results that nothing uses may be left without a name; they are called after the op.
void OpReader::BindUnnamed() {
  Binder binder;
  binder.name = name_.rsplit('.').second.empty() ? name_ : name_.rsplit('.').second;
  binder.count = static_cast<uint32_t>(result_type_ids_.size());
  binder.counted = binder.count > 1;
  binder.unnamed = true;
  binder.span = span_;
  binders_.push_back(binder);
}

bool OpReader::Bind(const Binder& binder, ir::ValueId first) {
  return binder.unnamed || parser_.Define(scope_, binder.name, {first, binder.count});
}

// Result names and annotations, then the instruction.
bool OpReader::Emit() {
  if (binders_.empty() && !result_type_ids_.empty()) {
    BindUnnamed();
  }
  size_t bound = num_bound();
  if (bound != result_type_ids_.size()) {
    return Fail(diag::Kind::OperandCount, "has " + std::to_string(result_type_ids_.size()) + " results, and " +
                                              std::to_string(bound) + " of them are named");
  }
  if (poisoned_) {
    return true;
  }
  if (def_->make_attrs != nullptr && !attrs_.valid()) {
    return Fail(diag::Kind::UnsupportedOp, "this form is not supported");
  }
  if (!CheckOperandTypes()) {
    return false;
  }
  if (is_operand_) {
    if (!CheckShardings()) {
      return false;
    }
    scope_.wanted[binders_[0].name] = dict_.shardings[0];
    return Bind(binders_[0], operands_[0]);
  }
  // In a function of scalars there is nothing to place.
  if (def_->is_constraint && scope_.owner != nullptr && scope_.owner->def_->region == op::Region::Apply &&
      binders_.size() == 1) {
    return Bind(binders_[0], operands_[0]);
  }
  if (def_->is_constraint && result_type_ids_.size() == 1) {
    mesh::ShardingId asked = module().tables->attrs.Get<ops::ShardingConstraintAttrs>(attrs_).sharding;
    mesh::ShardingId id = asked.valid() ? parser_.OfRank(asked, parser_.type(result_type_ids_[0]).rank()) : asked;
    attrs_ = id == asked ? attrs_ : module().tables->attrs.Add(ops::ShardingConstraintAttrs{id});
  }
  AlignCaptures();
  if (!CheckShardings()) {
    return false;
  }
  ir::Inst inst;
  inst.op = def_->kind;
  inst.attrs = attrs_;
  inst.span = span_;
  inst.source = source_;
  if (!dict_.side.entries.empty()) {
    side_ = parser_.module_.tables->sides.Intern(std::move(dict_.side));
  }
  inst.side = side_;
  operands_.append(captured_.begin(), captured_.end());
  ir::InstId id = scope_.function.AddInst(inst, operands_, bodies_, NewResults());
  int32_t first = scope_.function.insts[id].first_result.index;
  for (const Binder& binder : binders_) {
    Bind(binder, ir::ValueId{first});
    first += static_cast<int32_t>(binder.count);
  }
  return true;
}

// After a mistake the names are known all the same, so that their uses are not told as mistakes too.
void OpReader::Poison() {
  scope_.broken = true;
  for (const Binder& binder : binders_) {
    if (binder.unnamed) {
      continue;
    }
    scope_.names.Insert(binder.name, Binding{ir::ValueId(), binder.count});
  }
}

}  // namespace spmdc::text::stablehlo
