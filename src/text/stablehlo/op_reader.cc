// What an op's own spelling is read with: the pieces that its hook asks for.
#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

bool OpReader::Operand() {
  parser_.lex_.Peek();
  size_t begin = parser_.lex_.pos();
  auto value = parser_.ReadUse(scope_);
  if (!value) {
    return false;
  }
  poisoned_ |= !value->valid();
  operands_.push_back(*value);
  operand_spans_.push_back({parser_.file_, static_cast<uint32_t>(begin), parser_.lex_.pos()});
  return true;
}

void OpReader::ReorderOperands(llvm::ArrayRef<size_t> order) {
  llvm::SmallVector<ir::ValueId, 4> operands;
  llvm::SmallVector<source::Span, 4> spans;
  for (size_t from : order) {
    SPMDC_CHECK(from < operands_.size(), "an op reorders operands that it did not read");
    operands.push_back(operands_[from]);
    spans.push_back(operand_spans_[from]);
  }
  operands_ = std::move(operands);
  operand_spans_ = std::move(spans);
}

// Also ends before `{` and `:`, where attributes or types begin.
bool OpReader::OperandList(llvm::StringRef close) {
  char c = parser_.lex_.Peek();
  if (c == close[0] || c == '{' || c == ':') {
    return true;
  }
  do {
    if (!Operand()) {
      return false;
    }
  } while (parser_.lex_.Take(','));
  return true;
}

std::optional<tensor::Dims> OpReader::IntList() {
  tensor::Dims values;
  if (!Expect("[")) {
    return std::nullopt;
  }
  while (!parser_.lex_.Take(']')) {
    auto value = Int();
    if (!value || (parser_.lex_.Peek() != ']' && !Expect(","))) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

std::optional<int64_t> OpReader::Int() {
  llvm::StringRef digits = parser_.lex_.Digits();
  int64_t value = 0;
  if (digits.empty() || digits.getAsInteger(10, value)) {
    parser_.FailExpected("an integer");
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> OpReader::Word() {
  llvm::StringRef word = parser_.lex_.Word();
  if (word.empty()) {
    parser_.FailExpected("a word");
    return std::nullopt;
  }
  return word.str();
}

std::optional<ir::Type> OpReader::ParseType() {
  auto id = parser_.ReadType();
  return id ? std::optional<ir::Type>(parser_.type(*id)) : std::nullopt;
}

bool OpReader::OptionalDict() { return !parser_.lex_.Take('{') || parser_.ReadDict(dict_); }

bool OpReader::ColonTypes() {
  if (!OptionalDict() || !Expect(":")) {
    return false;
  }
  operand_type_ids_.clear();
  result_type_ids_.clear();
  Lexer& lex = parser_.lex_;
  if (lex.Peek() == '(') {
    return parser_.ReadFunctionType(operand_type_ids_, result_type_ids_, &took_tuple_);
  }
  llvm::SmallVector<ir::TypeId, 4> types;
  if (!parser_.ReadTypeList(types)) {
    return false;
  }
  if (lex.Take("->")) {
    operand_type_ids_.append(types.begin(), types.end());
    return parser_.ReadResultTypes(result_type_ids_, nullptr);
  }
  size_t bound = num_bound();
  if (types.size() == 1) {
    operand_type_ids_.assign(operands_.size(), types[0]);
    bool unnamed = bound == 0 && def_->elementwise;
    result_type_ids_.assign(unnamed ? 1 : bound, types[0]);
  } else {
    operand_type_ids_.append(types.begin(), types.end());
    result_type_ids_.append(types.begin(), types.end());
  }
  return true;
}

std::optional<op::StablehloReader::RegionArg> OpReader::DefineName() {
  Lexer& lex = parser_.lex_;
  if (!lex.Take('%')) {
    parser_.FailExpected("the name of an argument");
    return std::nullopt;
  }
  RegionArg arg;
  size_t begin = lex.pos() - 1;
  arg.name = lex.ValueName().str();
  arg.span = parser_.SpanOf(lex.Slice(begin, lex.pos()));
  if (lex.Take(':')) {
    auto type = ParseType();
    if (!type) {
      return std::nullopt;
    }
    arg.type = *type;
  }
  if (!parser_.ReadOptionalLoc(nullptr)) {
    return std::nullopt;
  }
  return arg;
}

bool OpReader::AppliedBody(llvm::StringRef op_name, llvm::ArrayRef<ir::Type> element_types) {
  const op::OpDef* applied = op::FindByName(op_name);
  if (applied == nullptr || element_types.size() != 1 || applied->min_operands > 2 || applied->max_operands < 2) {
    return Fail(diag::Kind::UnsupportedFeature, "applies `" + op_name.str() + "`");
  }
  ir::Function body;
  std::string name = ir::Mnemonic(def_->kind).str() + "_body";
  int& copies = parser_.body_names_[name];
  body.name = name + (copies == 0 ? "" : "_" + std::to_string(copies));
  ++copies;
  body.span = span_;
  body.enclosing = scope_.id;
  ir::Value value;
  value.type = parser_.module_.tables->types.Intern(ir::ArrayType(element_types[0].dtype, {}));
  value.span = span_;
  ir::BoundaryInfo info;
  info.span = span_;
  value.name = "lhs";
  ir::ValueId lhs = body.AddArg(value, info);
  value.name = "rhs";
  ir::ValueId rhs = body.AddArg(value, info);
  ir::Inst inst;
  inst.op = applied->kind;
  inst.span = span_;
  value.name = ir::Mnemonic(applied->kind).str();
  ir::InstId id = body.AddInst(inst, {lhs, rhs}, {}, {value});
  body.results.push_back(body.result(body.insts[id]));
  body.result_info.push_back(info);
  bodies_.push_back(parser_.module_.functions.Add(std::move(body)));
  body_captures_.emplace_back();
  return true;
}

llvm::ArrayRef<ir::Type> OpReader::MadeOf(llvm::ArrayRef<ir::TypeId> ids, TypeList& list) {
  if (list.ids != ids) {  // hooks ask again and again
    list.ids.assign(ids.begin(), ids.end());
    list.types.clear();
    for (ir::TypeId id : ids) {
      list.types.push_back(parser_.type(id));
    }
  }
  return list.types;
}

llvm::ArrayRef<ir::Type> OpReader::operand_types() { return MadeOf(operand_type_ids_, operand_types_); }

llvm::ArrayRef<ir::Type> OpReader::result_types() { return MadeOf(result_type_ids_, result_types_); }

const op::MlirAttr& OpReader::attr(llvm::StringRef name) {
  static const op::MlirAttr kMissing;
  const op::MlirAttr* found = dict_.Find(name);
  return found != nullptr ? *found : kMissing;
}

void OpReader::SetOperandTypes(llvm::ArrayRef<ir::Type> types) {
  llvm::SmallVector<ir::TypeId, 4> ids;
  for (const ir::Type& type : types) {
    ids.push_back(parser_.module_.tables->types.Intern(type));
  }
  operand_type_ids_ = std::move(ids);
}

void OpReader::SetResultTypes(llvm::ArrayRef<ir::Type> types) {
  llvm::SmallVector<ir::TypeId, 2> ids;
  for (const ir::Type& type : types) {
    ids.push_back(parser_.module_.tables->types.Intern(type));
  }
  result_type_ids_ = std::move(ids);
}

bool OpReader::Fail(diag::Kind kind, std::string message) {
  llvm::StringRef mnemonic = name_.contains('.') ? name_.split('.').second : name_;
  return parser_.Fail(kind, span_, mnemonic.str() + ": " + message);
}

}  // namespace spmdc::text::stablehlo
