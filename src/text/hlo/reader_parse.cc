// The text taken apart: header, tables of stack frames, computations, lines.
#include "llvm/ADT/STLExtras.h"
#include "source/lines.h"
#include "support/starts_with.h"
#include "text/hlo/layout.h"
#include "text/hlo/opcodes.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {

size_t Shape::CountLeaves() const {
  size_t n = 0;
  for (const Shape& element : elements) {
    n += element.num_leaves();
  }
  return n;
}

void Shape::Leaves(llvm::SmallVectorImpl<ir::TypeId>& out) const {
  if (!is_tuple) {
    out.push_back(leaf);
  }
  for (const Shape& element : elements) {
    element.Leaves(out);
  }
}

std::string Shape::Layouts() const {
  if (!is_tuple) {
    return layout.str() + ";";
  }
  std::string all;
  for (const Shape& element : elements) {
    all += element.Layouts();
  }
  return all;
}

Reader::Reader(source::FileId file, diag::Engine& diags, const ReadOptions& options)
    : file_(file),
      diags_(diags),
      options_(options),
      lex_(diags.sources().text(file)),
      module_(std::make_shared<ir::Tables>()) {}

source::Span Reader::SpanOf(llvm::StringRef piece) const {
  // What a fragment leaves out has no place in the text.
  if (piece.data() < lex_.text().begin() || piece.data() > lex_.text().end()) {
    return {file_, 0, 0};
  }
  auto begin = static_cast<uint32_t>(piece.data() - lex_.text().data());
  return {file_, begin, begin + static_cast<uint32_t>(piece.size())};
}

bool Reader::Fail(diag::Kind kind, llvm::StringRef at, std::string message) {
  diags_.Error(kind, SpanOf(at), std::move(message));
  return false;
}

bool Reader::FailExpected(const std::string& what) {
  if (lex_.AtEnd()) {
    if (!truncated_told_) {
      truncated_told_ = true;
      Fail(diag::Kind::Truncated, lex_.text().substr(lex_.text().size()),
           "the file ends where " + what + " is expected");
    }
    return false;
  }
  llvm::StringRef rest = lex_.text().substr(lex_.pos());
  llvm::StringRef found = rest.substr(0, std::clamp<size_t>(rest.find_first_of(" \n\t,(){}"), 1, 24));
  return Fail(diag::Kind::Syntax, found, "expected " + what + ", found `" + found.str() + "`");
}

bool Reader::Expect(llvm::StringRef token) { return lex_.Take(token) || FailExpected("`" + token.str() + "`"); }

std::optional<ir::Module> Reader::Run() {
  if (lex_.AtEnd()) {
    diags_.Error(diag::Kind::NoInput, {file_, 0, 0}, "the file is empty");
    return std::nullopt;
  }
  if (AtInstruction()) {
    if (!ReadFragment()) {
      return std::nullopt;
    }
  } else if (!ReadModule()) {
    return std::nullopt;
  }
  if (diags_.has_errors() || !BuildModule() || diags_.has_errors()) {
    return std::nullopt;
  }
  return std::move(module_);
}

// A header, tables and computations; computations alone are a fragment.
bool Reader::ReadModule() {
  if (AtComputation()) {
    module_.name = "fragment";
  } else if (!ReadHeader()) {
    return false;
  }
  ReadTables();
  while (!lex_.AtEnd()) {
    if (!ReadComputation()) {
      Recover();
    }
  }
  return true;
}

// `HloModule name, key=value, ...`
bool Reader::ReadHeader() {
  if (!lex_.Take("HloModule")) {
    return FailExpected("`HloModule`");
  }
  llvm::StringRef name = lex_.Name();
  if (name.empty()) {
    return FailExpected("the name of the module");
  }
  module_.name = name.str();
  return ReadAttrs(header_);
}

// `, name=value, ...`
bool Reader::ReadAttrs(llvm::SmallVectorImpl<RawAttr>& attrs) {
  while (lex_.Take(',')) {
    RawAttr attr;
    attr.name = lex_.Name();
    if (attr.name.empty() || !lex_.Take('=')) {
      return FailExpected(attr.name.empty() ? "an attribute" : "`=`");
    }
    attr.value = lex_.TakeValue(/*value_ends_at_blank=*/true);
    if (attr.value.empty()) {
      return FailExpected("a value");
    }
    // Groups on a mesh with a device order hold a comma: `mesh['a'=4], device_ids=([2,2]T(1,0)) {'a'}`.
    if (attr.name == "device_ids" && !attrs.empty() && attrs.back().name == "replica_groups") {
      const char* begin = attrs.back().value.data();
      attrs.back().value = llvm::StringRef(begin, static_cast<size_t>(attr.value.end() - begin));
      continue;
    }
    if (llvm::any_of(attrs, [&](const RawAttr& other) { return other.name == attr.name; })) {
      return Fail(diag::Kind::Attribute, attr.name, attr.name.str() + " is there twice");
    }
    attrs.push_back(attr);
  }
  return true;
}

// FileNames, FunctionNames, FileLocations, StackFrames: sections of numbered lines.
void Reader::ReadTables() {
  lex_.SkipSpace();
  size_t first = lex_.pos();
  while (true) {
    lex_.SkipSpace();
    size_t begin = lex_.pos();
    llvm::StringRef word = lex_.Name();
    bool section = word == "FileNames" || word == "FunctionNames" || word == "FileLocations" || word == "StackFrames";
    if (!section) {
      stack_tables_ = TrimEnd(lex_.Slice(first, begin));
      lex_.set_pos(begin);
      return;
    }
    while (llvm::isDigit(lex_.Peek())) {
      lex_.SkipLine();
    }
    ReadStackTables(lex_.Slice(begin, lex_.pos()));
  }
}

// To the line behind the next line that is a closing brace alone.
void Reader::Recover() {
  size_t end = lex_.text().find("\n}", lex_.pos());
  lex_.set_pos(end == llvm::StringRef::npos ? lex_.text().size() : end + 2);
  lex_.SkipLine();
}

// From an instruction that is wrong to the next line that begins one, or ends the computation: what its brackets enclose is
// not to be trusted.
void Reader::RecoverInst(size_t start) {
  if (diags_.error_count() >= kEnoughErrors) {
    truncated_told_ = true;
    lex_.set_pos(lex_.text().size());
    return;
  }
  lex_.set_pos(start);
  do {
    lex_.SkipLine();
  } while (!lex_.AtEnd() && lex_.Peek() != '}' && !AtInstruction());
}

// `[ENTRY] name [(params) -> shape] {` lines `}`. False where the text behind it is lost; instructions that are wrong are told,
// and left out.
bool Reader::ReadComputation() {
  auto computation = std::make_unique<RawComputation>();
  lex_.SkipSpace();
  size_t begin = lex_.pos();
  computation->is_entry = lex_.Take("ENTRY");
  computation->name = lex_.Name();
  if (computation->name.empty()) {
    lex_.set_pos(begin);
    return FailExpected("a computation");
  }
  if (lex_.Peek() == '(') {
    if (!lex_.SkipBalanced()) {
      return FailExpected("`)`");
    }
    if (lex_.Take("->") && !ReadShape()) {
      return false;
    }
  }
  if (!Expect("{")) {
    return false;
  }
  size_t num_lines = source::CountIndentedLines(lex_.text(), begin);
  computation->insts.reserve(num_lines);
  computation->index.reserve(static_cast<unsigned>(num_lines));
  while (lex_.Peek() != '}') {
    if (lex_.AtEnd()) {
      return FailExpected("`}`");
    }
    size_t start = lex_.pos();
    if (!ReadInst(*computation)) {
      RecoverInst(start);
    }
  }
  lex_.Take('}');
  llvm::SmallVector<RawAttr, 1> attrs;  // execution_thread
  if (!ReadAttrs(attrs)) {
    return false;
  }
  if (!computation_of_name_.try_emplace(computation->name, computation.get()).second) {
    return Fail(diag::Kind::Redefinition, computation->name,
                "computation " + computation->name.str() + " is defined twice");
  }
  if (computation->is_entry) {
    entry_ = computation.get();
  }
  if (computation->names_unknown) {
    Link(*computation);
  }
  decltype(computation->index)().swap(computation->index);  // operands are numbers now
  computations_.push_back(std::move(computation));
  return true;
}

bool Reader::FailOpcode(llvm::StringRef opcode) {
  std::vector<std::string> names(Opcodes().begin(), Opcodes().end());
  std::string nearest = diag::Nearest(opcode, names);
  auto handle = diags_.Error(diag::Kind::UnknownOp, SpanOf(opcode), "unknown opcode `" + opcode.str() + "`");
  if (!nearest.empty()) {
    handle.Help("did you mean `" + nearest + "`?");
  }
  return false;
}

const op::OpDef* Reader::DefOf(llvm::StringRef opcode) {
  auto [it, fresh] = def_of_opcode_.try_emplace(opcode);
  if (fresh) {
    it->second = op::FindByHloOpcode(opcode);
  }
  return it->second;
}

// `[ROOT] name = shape opcode(operands), key=value, ...`
bool Reader::ReadInst(RawComputation& computation) {
  RawInst inst;
  inst.is_root = lex_.Take("ROOT");
  inst.name = lex_.Name();
  if (inst.name.empty()) {
    return FailExpected("an instruction");
  }
  if (!computation.index.try_emplace(inst.name, static_cast<int32_t>(computation.insts.size())).second) {
    return Fail(diag::Kind::Redefinition, inst.name, inst.name.str() + " is defined twice");
  }
  if (!ReadDefinition(inst, computation)) {
    computation.index.erase(inst.name);
    return false;
  }
  computation.insts.push_back(inst);
  return true;
}

// Behind the name: `= shape opcode(operands), key=value, ...`
bool Reader::ReadDefinition(RawInst& inst, RawComputation& computation) {
  if (!Expect("=")) {
    return false;
  }
  auto shape = ReadShape();
  if (!shape) {
    return false;
  }
  inst.shape = *shape;
  inst.opcode = lex_.Name();
  if (inst.opcode.empty()) {
    return FailExpected("an opcode");
  }
  if (lex_.Peek() != '(') {
    return FailExpected("`(`");
  }
  inst.def = DefOf(inst.opcode);
  if (inst.def == nullptr && !IsOpcode(inst.opcode)) {
    return FailOpcode(inst.opcode);
  }
  llvm::SmallVector<RawAttr, 8> attrs;
  if ((!TakeNames(inst, computation) && !ReadOperands(inst, computation)) || !ReadAttrs(attrs)) {
    return false;
  }
  inst.attrs = Keep<RawAttr>(attrs);
  return true;
}

namespace {

// The last word of an operand as the text has it: `%b` of `f32[2]{0} %b`, without its sigil. Empty if it ends in no name.
llvm::StringRef LastWord(llvm::StringRef piece) {
  size_t begin = piece.size();
  while (begin > 0 && IsNameChar(piece[begin - 1])) {
    --begin;
  }
  bool stands_alone = begin == 0 || llvm::StringRef(" %/)}]").contains(piece[begin - 1]);
  return stands_alone ? piece.substr(begin) : llvm::StringRef();
}

}  // namespace

// Takes operands that are names alone, as most are: `(%a, %b)`. False where something else is written; then nothing is taken.
bool Reader::TakeNames(RawInst& inst, RawComputation& computation) {
  llvm::SmallVector<RawOperand, 8> operands;
  llvm::StringRef text = lex_.text();
  size_t begin = lex_.pos() + 1, at = begin;
  bool unknown = false;
  for (bool more = true; more;) {
    if (at >= text.size() || text[at] != '%') {
      return false;
    }
    lex_.set_pos(at);
    RawOperand operand{lex_.Name()};
    auto it = computation.index.find(operand.name);
    operand.inst = it == computation.index.end() ? -1 : it->second;
    unknown |= operand.inst < 0;
    operands.push_back(operand);
    at = lex_.pos();
    lex_.set_pos(begin - 1);
    more = StartsWith(text.substr(at), ", ");
    at += more ? 2 : 0;
    if (operand.name.empty()) {
      return false;
    }
  }
  if (at >= text.size() || text[at] != ')') {
    return false;
  }
  inst.operand_text = lex_.Slice(begin, at);
  inst.operands = Keep<RawOperand>(operands);
  computation.names_unknown |= unknown;
  lex_.set_pos(at + 1);
  return true;
}

// `(%a, f32[2]{0} %b)`
bool Reader::ReadOperands(RawInst& inst, RawComputation& computation) {
  size_t open = lex_.pos();
  if (!lex_.SkipBalanced()) {
    // A file that ends in its last line has lost its end; elsewhere a bracket is missing.
    if (lex_.text().substr(open + 1).split('\n').second.trim().empty()) {
      return FailExpected("`)`");
    }
    return Fail(diag::Kind::Syntax, lex_.text().substr(open, 1), "this `(` is not closed");
  }
  inst.operand_text = lex_.Slice(open + 1, lex_.pos() - 1);
  if (inst.opcode == "parameter" || inst.opcode == "constant") {
    return true;
  }
  llvm::SmallVector<RawOperand, 8> operands;
  size_t back = lex_.pos();
  Lexer lex(lex_.text().substr(0, SpanOf(inst.operand_text).end));
  lex.set_pos(SpanOf(inst.operand_text).begin);
  while (!lex.AtEnd()) {
    size_t begin = lex.pos();
    RawOperand operand{LastWord(lex.TakeValue())};
    if (operand.name.empty()) {
      lex_.set_pos(begin);
      FailExpected("an operand");
      lex_.set_pos(back);
      return false;
    }
    auto it = computation.index.find(operand.name);
    operand.inst = it == computation.index.end() ? -1 : it->second;
    computation.names_unknown |= operand.inst < 0;
    operands.push_back(operand);
    if (!lex.Take(',') && !lex.AtEnd()) {
      return Fail(diag::Kind::Syntax, lex_.text().substr(lex.pos(), 1), "expected `,` or `)`");
    }
  }
  inst.operands = Keep<RawOperand>(operands);
  return true;
}

// Looks up again, once all names are known, which instructions the operands are.
void Reader::Link(RawComputation& computation) const {
  for (RawInst& inst : computation.insts) {
    for (RawOperand& operand : inst.operands) {
      auto it = computation.index.find(operand.name);
      operand.inst = it == computation.index.end() ? -1 : it->second;
    }
  }
}

// `f32[8,16]{1,0}`, `(f32[], s32[2])`, `token[]`.
std::optional<Shape> Reader::ReadShape(int depth) {
  Shape shape;
  if (depth > kMaxNesting) {
    Fail(diag::Kind::TooDeep, lex_.text().substr(lex_.pos(), 1), "the shape is nested too deep");
    return std::nullopt;
  }
  if (!lex_.Take('(')) {
    return ReadLeafShape(shape) ? std::optional(shape) : std::nullopt;
  }
  shape.is_tuple = true;
  llvm::SmallVector<Shape, 8> elements;
  while (!lex_.Take(')')) {
    auto element = ReadShape(depth + 1);
    if (!element) {
      return std::nullopt;
    }
    elements.push_back(*element);
    shape.has_layouts |= element->has_layouts;
    if (lex_.Peek() != ')' && !Expect(",")) {
      return std::nullopt;
    }
  }
  shape.elements = Keep<Shape>(elements);
  return shape;
}

// A type and its layout. Few types make up a program: the text of each is read once.
bool Reader::ReadLeafShape(Shape& shape) {
  lex_.SkipSpace();
  size_t begin = lex_.pos();
  size_t end = std::min(lex_.text().find(']', begin), lex_.text().size() - 1) + 1;
  std::optional<ir::TypeId> type;
  auto known = type_of_text_.find(lex_.Slice(begin, end));
  if (known != type_of_text_.end()) {
    type = known->second;
    lex_.set_pos(end);
  } else if ((type = ReadType())) {
    type_of_text_[lex_.Slice(begin, lex_.pos())] = *type;
  }
  if (!type) {
    return false;
  }
  shape.leaf = *type;
  // A computation's brace stands behind a blank.
  end = lex_.pos();
  return end >= lex_.text().size() || lex_.text()[end] != '{' || ReadLayout(shape);
}

// `{1,0}`, `{0,1:T(8,128)S(5)}`
bool Reader::ReadLayout(Shape& shape) {
  size_t rank = module_.tables->types[shape.leaf].rank(), begin = lex_.pos();
  for (size_t r = usual_layouts_.size(); r <= rank; ++r) {
    usual_layouts_.push_back(UsualLayout(r));
  }
  llvm::StringRef usual = usual_layouts_[rank];
  if (rank > 0 && StartsWith(lex_.text().substr(begin), usual)) {
    lex_.set_pos(begin + usual.size());
    return true;
  }
  if (!lex_.SkipBalanced()) {
    return FailExpected("`}`");
  }
  llvm::StringRef layout = lex_.Slice(begin, lex_.pos());
  std::string wrong = CheckLayout(layout, rank);
  if (!wrong.empty()) {
    return Fail(diag::Kind::ShapeRule, layout, std::move(wrong));
  }
  if (layout != "{}") {
    shape.layout = layout;
    shape.has_layouts = true;
  }
  return true;
}

// `f32[8,16]`
std::optional<ir::TypeId> Reader::ReadType() {
  size_t begin = lex_.pos();
  llvm::StringRef name = lex_.Name();
  auto dtype = tensor::FromHloName(name);
  if (!dtype) {
    lex_.set_pos(begin);
    FailExpected("a shape");
    return std::nullopt;
  }
  if (!Expect("[")) {
    return std::nullopt;
  }
  ir::Type type;
  type.dtype = *dtype;
  int64_t total = 1;
  while (!lex_.Take(']')) {
    bool bounded = lex_.Take("<=");
    llvm::StringRef digits = lex_.Digits();
    int64_t size = 0;
    if (digits.empty() || digits.getAsInteger(10, size) || size < 0) {
      if (lex_.Peek() == '?') {
        Fail(diag::Kind::UnsupportedFeature, lex_.text().substr(begin, lex_.pos() - begin),
             "dims of unknown size are not supported");
      } else {
        FailExpected("the size of a dim");
      }
      return std::nullopt;
    }
    // No dim counts as nothing here: strides are products too. 16 is the size of the largest element.
    if (__builtin_mul_overflow(total, std::max<int64_t>(size, 1), &total) || total > INT64_MAX / 16) {
      Fail(diag::Kind::TooLarge, digits, "the shape has too many elements to count");
      return std::nullopt;
    }
    type.dims.push_back(size);
    if (bounded) {
      type.bounded.resize(type.rank());
      type.bounded.back() = 1;
    }
    if (lex_.Peek() != ']' && !Expect(",")) {
      return std::nullopt;
    }
  }
  if (!type.bounded.empty()) {
    type.bounded.resize(type.rank());
  }
  return module_.tables->types.Intern(std::move(type));
}

}  // namespace spmdc::text::hlo
