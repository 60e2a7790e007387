// Unknown ops whose operands or results are nested tuples: the tuples are made again as the text had them.
#include "llvm/ADT/STLExtras.h"
#include "ops/opaque.h"
#include "text/hlo/writer_impl.h"

namespace spmdc::text::hlo {
namespace {

// `.` is an array, `(..)` a tuple of two.
TupleTree ParseTree(llvm::StringRef& text) {
  TupleTree tree;
  if (!text.consume_front("(")) {
    text = text.drop_front(std::min<size_t>(1, text.size()));
    return tree;
  }
  tree.is_tuple = true;
  while (!text.empty() && !text.consume_front(")")) {
    tree.elements.push_back(ParseTree(text));
  }
  return tree;
}

}  // namespace

size_t TupleTree::num_leaves() const {
  size_t n = is_tuple ? 0 : 1;
  for (const TupleTree& element : elements) {
    n += element.num_leaves();
  }
  return n;
}

std::string ComputationWriter::TreeShape(const TupleTree& tree, llvm::ArrayRef<ir::ValueId>& leaves) const {
  if (!tree.is_tuple) {
    ir::ValueId v = leaves.front();
    leaves = leaves.drop_front();
    return ShapeOf(v).str();
  }
  std::string shape;
  for (const TupleTree& element : tree.elements) {
    shape += (shape.empty() ? "(" : ", ") + TreeShape(element, leaves);
  }
  return shape.empty() ? "()" : shape + ")";
}

// The name of an operand: that of the instruction which makes just this tuple, or of a tuple made here.
llvm::StringRef ComputationWriter::TreeOperand(const TupleTree& tree, llvm::ArrayRef<ir::ValueId>& leaves) {
  if (!tree.is_tuple) {
    ir::ValueId v = leaves.front();
    leaves = leaves.drop_front();
    return NameOf(v);
  }
  size_t n = tree.num_leaves();
  const ir::Value* first = n > 0 ? &function_.values[leaves[0]] : nullptr;
  if (first != nullptr && first->def.valid() && first->index == 0 && function_.insts[first->def].num_results == n) {
    const ir::Inst& maker = function_.insts[first->def];
    bool whole = true;
    for (size_t i = 0; i < n; ++i) {
      whole &= leaves[i] == function_.result(maker, i);
    }
    auto name = tuple_names_.find(maker.first_result);
    if (whole && name != tuple_names_.end()) {
      leaves = leaves.drop_front(n);
      return name->second;
    }
  }
  llvm::ArrayRef<ir::ValueId> of_shape = leaves;
  std::string shape = TreeShape(tree, of_shape), list;
  for (const TupleTree& element : tree.elements) {
    list += (list.empty() ? "" : ", ") + TreeOperand(element, leaves).str();
  }
  llvm::StringRef name = TakeName("tuple");
  WriteHead(false, name, shape, "tuple");
  text_ += list + ")\n";
  return name;
}

// Takes the leaves that are used out of a tuple.
void ComputationWriter::TreeElements(const TupleTree& tree, llvm::StringRef name, llvm::ArrayRef<ir::ValueId>& leaves) {
  for (size_t i = 0; i < tree.elements.size(); ++i) {
    const TupleTree& element = tree.elements[i];
    llvm::ArrayRef<ir::ValueId> inside = leaves.take_front(element.num_leaves());
    leaves = leaves.drop_front(inside.size());
    if (llvm::none_of(inside, [&](ir::ValueId v) { return Used(v); })) {
      continue;
    }
    if (!element.is_tuple) {
      WriteElement(inside[0], name, i);
      continue;
    }
    llvm::ArrayRef<ir::ValueId> of_shape = inside;
    llvm::StringRef part = TakeName("get-tuple-element");
    WriteHead(false, part, TreeShape(element, of_shape), "get-tuple-element");
    text_ += name.str() + "), index=" + std::to_string(i) + "\n";
    TreeElements(element, part, inside);
  }
}

bool ComputationWriter::WriteNested(const ir::Inst& inst) {
  if (op::Def(inst.op).make_attrs != ir::NewAttrs<ops::OpaqueAttrs>) {
    return false;
  }
  const auto& attrs = module_.module.attrs<ops::OpaqueAttrs>(inst);
  auto [operand_text, result_text] = llvm::StringRef(attrs.types).split("->");
  if (result_text.empty() || llvm::StringRef(attrs.name).contains('.')) {  // StableHLO's types are no tuples
    return false;
  }
  llvm::ArrayRef<ir::ValueId> leaves = function_.operands(inst);
  llvm::SmallVector<llvm::StringRef, 4> names;
  while (!operand_text.empty()) {
    names.push_back(TreeOperand(ParseTree(operand_text), leaves));
  }
  TupleTree made = ParseTree(result_text);
  llvm::SmallVector<ir::ValueId, 4> results;
  for (uint32_t i = 0; i < inst.num_results; ++i) {
    results.push_back(function_.result(inst, i));
  }
  leaves = results;
  std::string shape = TreeShape(made, leaves);
  if (!made.is_tuple) {
    WriteLine(inst, NameOf(results[0]), shape, names, IsRootValue(results[0]));
    return true;
  }
  llvm::StringRef name = results.empty() ? TakeName(op::NameOf(module_.module, inst)) : TakeName(SharedBase(inst));
  WriteLine(inst, name, shape, names, false);
  if (!results.empty()) {
    tuple_names_[inst.first_result] = name;
  }
  leaves = results;
  TreeElements(made, name, leaves);
  return true;
}

}  // namespace spmdc::text::hlo
