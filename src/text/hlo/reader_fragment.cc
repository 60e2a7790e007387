// Fragments: instructions without a computation, as logs and messages quote them. What they use and do not define becomes
// parameters; a reduction whose computation is not there is what its name says (`%maximum.3`, `%max_f32`), else a sum.
#include "llvm/ADT/STLExtras.h"
#include "op/eval.h"
#include "support/starts_with.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {
namespace {

// Whether an op exchanges arrays after combining them, or begins to.
bool Combines(llvm::StringRef opcode) {
  opcode.consume_back("-start");
  const op::OpDef* def = op::FindByHloOpcode(opcode);
  return def != nullptr && def->collective != nullptr;
}

// The op that a computation is called after: `maximum.3`, `max_f32`, `%or.clone`; nothing for other names.
const op::OpDef* CombinerNamed(llvm::StringRef name) {
  constexpr size_t kLeastLetters = 2;
  llvm::StringRef word = name.take_while(llvm::isAlpha);
  for (int i = 0; i < static_cast<int>(mesh::Monoid::None); ++i) {
    const op::OpDef& def = op::Def(op::MonoidOp(static_cast<mesh::Monoid>(i)));
    if (word.size() >= kLeastLetters && StartsWith(def.hlo_opcode, word)) {
      return &def;
    }
  }
  return nullptr;
}

}  // namespace

// `[ROOT] %name = `
bool Reader::AtInstruction() {
  size_t begin = lex_.pos();
  lex_.Take("ROOT");
  bool found = !lex_.Name().empty() && lex_.Peek() == '=';
  lex_.set_pos(begin);
  return found;
}

// `[ENTRY] %name [(parameters) -> shape] {`
bool Reader::AtComputation() {
  size_t begin = lex_.pos();
  lex_.Take("ENTRY");
  bool found = !lex_.Name().empty();
  if (found && lex_.Peek() == '(') {
    found = lex_.SkipBalanced() && lex_.Take("->");
  } else {
    found = found && lex_.Peek() == '{';
  }
  lex_.set_pos(begin);
  return found;
}

bool Reader::ReadFragment() {
  module_.name = "fragment";
  is_fragment_ = true;
  auto computation = std::make_unique<RawComputation>();
  computation->name = made_texts_.emplace_back("main");
  computation->is_entry = true;
  while (!lex_.AtEnd()) {
    if (AtComputation()) {
      if (!ReadComputation()) {
        return false;
      }
      continue;
    }
    size_t start = lex_.pos();
    if (!ReadInst(*computation)) {
      RecoverInst(start);
    }
  }
  if (diags_.has_errors()) {
    return false;
  }
  if (!AddParameters(*computation)) {
    return false;
  }
  AddCombiners(*computation);
  entry_ = computation.get();
  computation_of_name_[computation->name] = computation.get();
  computations_.push_back(std::move(computation));
  return true;
}

// The type of an operand that the fragment does not define: as written in front of it, or as that of the result.
std::optional<Shape> Reader::GuessOperand(const RawInst& inst, size_t operand, llvm::StringRef text) {
  llvm::StringRef type = text.drop_back(inst.operands[operand].name.size()).rtrim(" %");
  if (!type.empty()) {
    size_t back = lex_.pos();
    lex_.set_pos(SpanOf(type).begin);
    auto shape = ReadShape();
    lex_.set_pos(back);
    return shape;
  }
  bool of_result = inst.def != nullptr && (inst.def->elementwise || inst.def->collective != nullptr);
  const Shape* result = !inst.shape.is_tuple                   ? &inst.shape
                        : operand < inst.shape.elements.size() ? &inst.shape.elements[operand]
                                                               : nullptr;
  if (!of_result || result == nullptr || result->is_tuple) {
    diags_
        .Error(diag::Kind::UndefinedValue, SpanOf(inst.operands[operand].name),
               inst.operands[operand].name.str() + " is not defined above")
        .Help("write its type in front of it: f32[8,4] %" + inst.operands[operand].name.str());
    return std::nullopt;
  }
  Shape shape = *result;
  const RawAttr* groups = inst.Find("replica_groups");
  const RawAttr* dims = inst.Find("dimensions");
  bool gathers = inst.opcode == "all-gather", scatters = inst.opcode == "reduce-scatter";
  llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> lists;
  size_t end = 0, dim = 0;
  if ((!gathers && !scatters) || groups == nullptr || dims == nullptr ||
      mesh::ParseReplicaGroups(groups->value, 0, lists, end) || lists.empty() || lists[0].empty() ||
      dims->value.trim("{}").getAsInteger(10, dim)) {
    return shape;
  }
  ir::Type block = module_.tables->types[shape.leaf];
  auto members = static_cast<int64_t>(lists[0].size());
  if (dim < block.rank()) {
    block.dims[dim] = gathers ? block.dims[dim] / members : block.dims[dim] * members;
  }
  shape.leaf = module_.tables->types.Intern(block);
  return shape;
}

bool Reader::AddParameters(RawComputation& computation) {
  std::vector<RawInst> parameters;
  llvm::StringSet<> known;
  for (const RawInst& inst : computation.insts) {
    Lexer lex(inst.operand_text);
    for (size_t i = 0; i < inst.operands.size(); ++i, lex.Take(',')) {
      llvm::StringRef text = lex.TakeValue();
      llvm::StringRef name = inst.operands[i].name;
      if (computation.index.count(name) != 0 || !known.insert(name).second) {
        continue;
      }
      auto shape = GuessOperand(inst, i, text);
      if (!shape) {
        return false;
      }
      RawInst& parameter = parameters.emplace_back();
      parameter.name = name;
      parameter.shape = *shape;
      parameter.opcode = "parameter";
      parameter.operand_text = made_texts_.emplace_back(std::to_string(parameters.size() - 1));
    }
  }
  computation.insts.insert(computation.insts.begin(), parameters.begin(), parameters.end());
  for (size_t i = 0; i < computation.insts.size(); ++i) {
    computation.index[computation.insts[i].name] = static_cast<int32_t>(i);
  }
  Link(computation);
  return true;
}

void Reader::AddCombiners(const RawComputation& computation) {
  for (const RawInst& inst : computation.insts) {
    const RawAttr* attr = inst.Find("to_apply");
    llvm::SmallVector<ir::TypeId, 1> leaves;
    inst.shape.Leaves(leaves);
    if (attr == nullptr || !Combines(inst.opcode) || leaves.empty()) {
      continue;
    }
    llvm::StringRef name = attr->value;
    name.consume_front("%");
    if (computation_of_name_.count(name) != 0) {
      continue;
    }
    const op::OpDef* named = CombinerNamed(name);
    auto made = MakeCombiner(name, leaves[0], named != nullptr ? *named : op::Def(op::MonoidOp(mesh::Monoid::Sum)));
    computation_of_name_[name] = made.get();
    computations_.push_back(std::move(made));
    diags_.Warning(
        diag::Kind::UndefinedValue, SpanOf(attr->value),
        "computation " + name.str() + " is not in the text: taken as " +
            (named != nullptr ? "the op `" + named->hlo_opcode.str() + "` that it is called after" : "a sum"));
  }
}

// `(x, y) -> op(x, y)` of scalars of the array's element type.
std::unique_ptr<RawComputation> Reader::MakeCombiner(llvm::StringRef name, ir::TypeId array, const op::OpDef& def) {
  ir::TypeId scalar = module_.tables->types.Intern(ir::ArrayType(module_.tables->types[array].dtype, {}));
  auto combiner = std::make_unique<RawComputation>();
  combiner->name = name;
  for (llvm::StringRef part : {"x", "y", "both"}) {
    RawInst& made = combiner->insts.emplace_back();
    made.name = part;
    made.shape.leaf = scalar;
    made.opcode = part == "both" ? def.hlo_opcode : llvm::StringRef("parameter");
    made.def = op::FindByHloOpcode(made.opcode);
    made.operand_text = part == "y" ? "1" : "0";
    combiner->index[part] = static_cast<int32_t>(combiner->insts.size()) - 1;
  }
  combiner->insts.back().operands = Keep<RawOperand>({{"x"}, {"y"}});
  combiner->insts.back().is_root = true;
  Link(*combiner);
  return combiner;
}

}  // namespace spmdc::text::hlo
