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

// Takes down the form of the line from the op's name on, and where its values are. Nothing for lines that are not kept.
void OpReader::TakeForm(size_t begin) {
  constexpr size_t kLongest = 1024;  // longer lines hold literals, which hardly come twice
  llvm::StringRef line = parser_.lex_.text().substr(begin, kLongest);
  line = line.substr(0, line.find('\n'));
  bool opens_region = !line.empty() && (line.back() == '{' || line.back() == '(');
  if (line.size() == kLongest || opens_region || num_bound() > UINT8_MAX) {
    return;
  }
  if (EndsWith(line, ")")) {
    line = line.substr(0, line.rfind(" loc("));  // every line has its own
  }
  form_end_ = begin + line.size();
  bool has_strings = line.contains('"'), in_string = false;
  size_t copied = 0;
  for (size_t at = line.find('%'); at != llvm::StringRef::npos; at = line.find('%', at + 1)) {
    in_string ^= has_strings && line.slice(copied, at).count('"') % 2 == 1;
    size_t end = in_string ? at + 1 : EndOfName(line, at + 1);
    form_.append(line.begin() + copied, line.begin() + at + 1);
    if (!in_string) {
      uses_.push_back(static_cast<uint32_t>(begin + at));
    }
    copied = end;
  }
  form_.append(line.begin() + copied, line.end());
  // Where one type stands for all results, the names in front of the `=` say how many there are.
  form_.push_back(static_cast<char>(num_bound()));
}

// Reads the operands of an op whose line is like an earlier one. Nothing where there is none; false after a diagnostic.
std::optional<bool> OpReader::Recall() {
  if (form_.empty()) {
    return std::nullopt;
  }
  auto found = parser_.known_lines_.find(llvm::StringRef(form_.data(), form_.size()));
  if (found == parser_.known_lines_.end()) {
    return std::nullopt;
  }
  const KnownLine& known = *found->second;
  for (uint32_t use : uses_) {
    parser_.lex_.set_pos(use);
    if (!Operand()) {
      return false;
    }
  }
  ReorderOperands(known.operands);
  parser_.lex_.TakeAt(form_end_);
  def_ = known.def;
  attrs_ = known.attrs;
  side_ = known.side;
  operand_type_ids_ = known.operand_types;
  result_type_ids_ = known.result_types;
  dict_.shardings = known.shardings;
  return true;
}

// What the text of collectives means depends on the meshes read so far, and what unknown ops are of, on their operands.
bool OpReader::IsLikeItsLine() const {
  return !form_.empty() && !poisoned_ && bodies_.empty() && def_->collective == nullptr &&
         def_->kind != ir::OpKind::Opaque;
}

// Keeps the op that was read for lines like this one.
void OpReader::Remember() {
  KnownLine known{def_, attrs_, side_, operand_type_ids_, result_type_ids_, dict_.shardings, {}};
  for (const source::Span& span : operand_spans_) {
    const uint32_t* use = llvm::find(uses_, span.begin);
    if (use == uses_.end()) {
      return;
    }
    known.operands.push_back(static_cast<size_t>(use - uses_.begin()));
  }
  for (size_t i = 0; i < uses_.size(); ++i) {
    if (!llvm::is_contained(known.operands, i)) {
      return;
    }
  }
  parser_.known_lines_.try_emplace(llvm::StringRef(form_.data(), form_.size()).copy(parser_.memory_),
                                   std::make_unique<KnownLine>(std::move(known)));
}

}  // namespace spmdc::text::stablehlo
