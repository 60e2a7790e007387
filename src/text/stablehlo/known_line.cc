// Lines read before: programs repeat their ops, and a line that differs from an earlier one in the names of its values alone
// is the same op with the same attributes and types.
//
//   %7 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
//        stablehlo.dot_general %, %, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
//
// The second is the line's form, by which it is found. Only ops that are alone on their line and have no regions are kept, once
// they were read without a word to the user. Whether the operands are what the line says is checked for every line.
#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

namespace {

// Behind the `%` of a value: `arg0`, `7#1`.
size_t EndOfName(llvm::StringRef line, size_t at) {
  bool number = at < line.size() && IsDigit(line[at]);
  while (at < line.size() && (number ? IsDigit(line[at]) : IsNameChar(line[at]))) {
    ++at;
  }
  if (at + 1 < line.size() && line[at] == '#' && IsDigit(line[at + 1])) {
    for (++at; at < line.size() && IsDigit(line[at]); ++at) {
    }
  }
  return at;
}

}  // namespace

// Takes down the form of the line from the op's name on, and where its values are. No text for lines that are not kept.
void Parser::TakeForm(size_t begin, size_t num_bound) {
  constexpr size_t kLongest = 1024;  // longer lines hold literals, which hardly come twice
  form_.begin = begin;
  form_.text.clear();
  form_.uses.clear();
  llvm::StringRef line = lex_.text().substr(begin, kLongest);
  line = line.substr(0, line.find('\n'));
  bool opens_region = !line.empty() && (line.back() == '{' || line.back() == '(');
  if (line.size() == kLongest || opens_region || num_bound > UINT8_MAX) {
    return;
  }
  if (EndsWith(line, ")")) {
    line = line.substr(0, line.rfind(" loc("));  // every line has its own
  }
  form_.end = begin + line.size();
  bool has_strings = line.contains('"'), in_string = false;
  size_t copied = 0;
  for (size_t at = line.find('%'); at != llvm::StringRef::npos; at = line.find('%', at + 1)) {
    in_string ^= has_strings && line.slice(copied, at).count('"') % 2 == 1;
    size_t end = in_string ? at + 1 : EndOfName(line, at + 1);
    form_.text.append(line.begin() + copied, line.begin() + at + 1);
    if (!in_string) {
      form_.uses.push_back(static_cast<uint32_t>(begin + at));
    }
    copied = end;
  }
  form_.text.append(line.begin() + copied, line.end());
  // Where one type stands for all results, the names in front of the `=` say how many there are.
  form_.text.push_back(static_cast<char>(num_bound));
  form_.hash = HashText(form_.text) >> 1;  // the greatest numbers are no keys
}

// The values of the last line as operands of the op that a line of its form is. False where one is not known in this scope, or
// is of another type.
bool Parser::TakeOperands(Scope& scope, const KnownLine& known, llvm::SmallVectorImpl<ir::ValueId>& operands) {
  llvm::SmallVector<ir::ValueId, 4> values;
  for (uint32_t use : form_.uses) {
    lex_.set_pos(use + 1);
    const Binding* binding = scope.names.Find(lex_.ValueName());
    uint32_t index = 0;
    if (binding == nullptr || !binding->first.valid() ||
        (lex_.PeekAhead(0) == '#' && (!lex_.Take('#') || lex_.Digits().getAsInteger(10, index))) ||
        index >= binding->count) {
      return false;
    }
    values.push_back({binding->first.index + static_cast<int32_t>(index)});
  }
  for (size_t i = 0; i < known.operands.size(); ++i) {
    operands.push_back(values[known.operands[i]]);
    if (scope.function.values[operands.back()].type != known.operand_types[i]) {
      return false;
    }
  }
  return true;
}

// Appends the op of a line that is like an earlier one. Nothing where it is not, or where there may be something to tell: then
// nothing was read.
std::optional<bool> Parser::RepeatLine(Scope& scope) {
  size_t begin = lex_.pos();
  if (lex_.PeekAhead(0) != '%') {
    return std::nullopt;
  }
  lex_.Take('%');
  llvm::StringRef name = lex_.ValueName();
  source::Span span = SpanOf(lex_.Slice(begin, lex_.pos()));
  uint32_t count = 1;
  bool counted = lex_.PeekAhead(0) == ':';
  bool one_name = (!counted || (lex_.Take(':') && !lex_.Digits().getAsInteger(10, count))) && lex_.Take('=');
  lex_.SkipSpace();
  const KnownLine* known = nullptr;
  if (one_name) {
    TakeForm(lex_.pos(), count);
    known = form_.text.empty() ? nullptr : known_lines_.lookup(form_.hash);
    known = known != nullptr && known->form == form_.text ? known : nullptr;
  }
  llvm::SmallVector<ir::ValueId, 4> operands;
  bool in_scalars = scope.owner != nullptr && scope.owner->def_->region == op::Region::Apply;
  if (known == nullptr || (known->def->is_constraint && in_scalars) || !TakeOperands(scope, *known, operands)) {
    lex_.set_pos(begin);
    return std::nullopt;
  }
  lex_.TakeAt(form_.end);
  ir::Inst inst;
  inst.op = known->def->kind;
  inst.attrs = known->attrs;
  inst.side = known->side;
  auto op_begin = static_cast<uint32_t>(form_.begin);
  inst.span = {file_, op_begin, op_begin + known->name_size};
  if (!ReadOptionalLoc(&inst.source)) {
    scope.broken = true;
    scope.names.Insert(name, Binding{ir::ValueId(), count});
    return false;
  }
  llvm::SmallVector<ir::Value, 2> results;
  for (uint32_t i = 0; i < count; ++i) {
    ir::Value& result = results.emplace_back();
    result.name.assign(name.begin(), name.end());
    if (counted) {
      result.name += "#" + std::to_string(i);
    }
    result.span = span;
    result.type = known->result_types[i];
    result.sharding = known->shardings.empty() ? mesh::ShardingId() : known->shardings[i];
  }
  ir::InstId id = scope.function.AddInst(inst, operands, {}, std::move(results));
  Define(scope, name, {scope.function.result(scope.function.insts[id]), count});
  return true;
}

// What the text of collectives means depends on the meshes read so far, and what unknown ops are of, on their operands.
bool OpReader::IsLikeItsLine() const {
  return !parser_.form_.text.empty() && !poisoned_ && !is_operand_ && bodies_.empty() && def_->collective == nullptr &&
         def_->kind != ir::OpKind::Opaque && num_bound() == result_type_ids_.size();
}

// Keeps the op that was read for lines like this one.
void OpReader::Remember() {
  const LineForm& form = parser_.form_;
  llvm::SmallVector<uint32_t, 8> operands;
  for (const source::Span& span : operand_spans_) {
    const uint32_t* use = llvm::find(form.uses, span.begin);
    if (use == form.uses.end()) {
      return;
    }
    operands.push_back(static_cast<uint32_t>(use - form.uses.begin()));
  }
  for (uint32_t i = 0; i < form.uses.size(); ++i) {
    if (!llvm::is_contained(operands, i)) {
      return;
    }
  }
  KnownLine*& known = parser_.known_lines_[form.hash];
  if (known == nullptr && operands.size() == operand_type_ids_.size()) {
    known = new (parser_.memory_.Allocate<KnownLine>()) KnownLine();
    known->form = llvm::StringRef(form.text).copy(parser_.memory_);
    known->name_size = span_.end - span_.begin;
    known->def = def_;
    known->attrs = attrs_;
    known->side = side_;
    known->operand_types = parser_.Keep<ir::TypeId>(operand_type_ids_);
    known->result_types = parser_.Keep<ir::TypeId>(result_type_ids_);
    known->shardings = parser_.Keep<mesh::ShardingId>(dict_.shardings);
    known->operands = parser_.Keep<uint32_t>(operands);
  }
}

}  // namespace spmdc::text::stablehlo
