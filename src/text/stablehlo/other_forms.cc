// Ops under the names that other dialects and older versions have for them, and elements of tuples.
//
//   stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>        a dot_general
//   sdy.constant dense<0> : tensor<i32>                                                 a constant
//   mhlo.copy %a : tensor<8xf32>                                                        a convert to the type it has
//   stablehlo.tuple %a, %t : tuple<tensor<8xf32>, tuple<...>>                           taken apart again by its users
//   stablehlo.get_tuple_element %1[1] : (tuple<tensor<8xf32>, tensor<i32>>) -> tensor<i32>   a result of the call %1
#include "ops/constant.h"
#include "ops/dot.h"
#include "ops/elementwise.h"
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

const op::OpDef* DefOfOtherName(llvm::StringRef name) {
  auto [dialect, mnemonic] = name.split('.');
  bool stablehlo = dialect == "stablehlo" || dialect == "mhlo";
  if (stablehlo && mnemonic == "if") {
    return &op::Def(ir::OpKind::Case);
  }
  if (stablehlo && mnemonic == "dot") {
    return &op::Def(ir::OpKind::DotGeneral);
  }
  if (name == "mhlo.copy") {
    return &op::Def(ir::OpKind::Convert);
  }
  return name == "sdy.constant" ? &op::Def(ir::OpKind::Constant) : nullptr;
}

// The last dim of the left operand with the first of the right one.
bool OpReader::MakeDot(std::string precision) {
  if (operand_types().size() != 2 || result_types().size() != 1 || operand_types()[0].rank() == 0 ||
      operand_types()[1].rank() == 0) {
    return Fail(diag::Kind::OperandCount, "has two operands, neither of them a scalar, and one result");
  }
  ops::DotGeneralAttrs attrs;
  attrs.lhs_contracting = {static_cast<int64_t>(operand_types()[0].rank()) - 1};
  attrs.rhs_contracting = {0};
  attrs.result_dtype = result_types()[0].dtype;
  attrs.precision = std::move(precision);
  SetAttrs(module().tables->attrs.Add(std::move(attrs)));
  return true;
}

// `%a, %b, precision = [HIGH, HIGH] : types`
bool OpReader::ReadPlainDot() {
  return def_->parse_stablehlo(*this) &&
         MakeDot(attrs_.valid() ? module().tables->attrs.Get<ops::DotGeneralAttrs>(attrs_).precision : "");
}

// `%a, %b : tuple<types>`
bool OpReader::ReadTuple(bool generic) {
  Lexer& lex = parser_.lex_;
  Tuple tuple;
  if (generic && !Expect("(")) {
    return false;
  }
  while (lex.Peek() == '%') {
    llvm::StringRef name = lex.text().substr(lex.pos() + 1).take_while(IsNameChar);
    if (parser_.TupleOf(scope_, name) != nullptr) {
      tuple.elements.push_back(*scope_.names.Find(name));
      lex.TakeAt(lex.pos() + 1 + name.size());
    } else if (!Operand()) {
      return false;
    } else {
      tuple.elements.push_back({operands_.back()});
    }
    if (!lex.Take(',')) {
      break;
    }
  }
  llvm::SmallVector<ir::TypeId, 4> types, of_operands;
  if ((generic && !Expect(")")) || !OptionalDict() || !Expect(":") ||
      (generic &&
       (!Expect("(") || (lex.Peek() != ')' && !parser_.ReadFlatTypes(of_operands)) || !Expect(")") || !Expect("->"))) ||
      !parser_.ReadFlatTypes(types) || !parser_.ReadOptionalLoc(&source_)) {
    return false;
  }
  if (poisoned_ || binders_.size() != 1) {
    return poisoned_ || Fail(diag::Kind::OperandCount, "has one result");
  }
  llvm::SmallVector<ir::ValueId, 8> leaves;
  parser_.AddLeaves(tuple, leaves);
  bool alike = leaves.size() == types.size();
  for (size_t i = 0; alike && i < types.size(); ++i) {
    alike = scope_.function.values[leaves[i]].type == types[i];
  }
  if (!alike) {
    return Fail(diag::Kind::ShapeRule, "the type of the tuple is not that of its elements");
  }
  parser_.tuples_.push_back(std::move(tuple));
  return parser_.Define(scope_, binders_[0].name, {ir::ValueId(), 1, static_cast<int32_t>(parser_.tuples_.size()) - 1});
}

// The name in front of the `=` for an element of `%of`.
bool OpReader::DefineElement(const Binding& element, uint32_t number, llvm::StringRef of) {
  llvm::SmallVector<ir::ValueId, 4> leaves = {element.first};
  if (element.tuple >= 0) {
    leaves.clear();
    parser_.AddLeaves(parser_.tuples_[static_cast<size_t>(element.tuple)], leaves);
  }
  bool alike = leaves.size() == result_type_ids_.size() && binders_.size() == 1;
  for (size_t i = 0; alike && i < leaves.size(); ++i) {
    alike = scope_.function.values[leaves[i]].type == result_type_ids_[i];
  }
  if (alike) {
    return parser_.Define(scope_, binders_[0].name, element);
  }
  std::string what = element.tuple >= 0 ? "a tuple of " + std::to_string(leaves.size()) + " arrays"
                                        : ir::ToString(*module().tables, scope_.function.values[leaves[0]].type);
  return Fail(diag::Kind::ShapeRule, "element " + std::to_string(number) + " of %" + of.str() + " is " + what);
}

// `%1[4] {attributes} : (tuple<...>) -> type`: %1 is a call that makes a tuple, whose elements are its results here.
bool OpReader::ReadTupleElement(bool generic) {
  Lexer& lex = parser_.lex_;
  if (generic && !Expect("(")) {
    return false;
  }
  lex.Peek();
  llvm::StringRef name = lex.text().substr(std::min<size_t>(lex.pos() + 1, lex.text().size())).take_while(IsNameChar);
  const Tuple* tuple = lex.Peek() == '%' ? parser_.TupleOf(scope_, name) : nullptr;
  if (tuple != nullptr) {
    lex.TakeAt(lex.pos() + 1 + name.size());
  } else if (!parser_.ReadUse(scope_, &name)) {
    return false;
  }
  std::optional<int64_t> index;
  if (generic) {
    if (!Expect(")") || (parser_.lex_.Take('<') && (!Expect("{") || !parser_.ReadDict(dict_) || !Expect(">")))) {
      return false;
    }
  } else if (!Expect("[") || !(index = Int()) || !Expect("]")) {
    return false;
  }
  if (!OptionalDict() || !Expect(":") || !Expect("(") || !Expect("tuple<") ||
      !parser_.ReadFlatTypes(operand_type_ids_) || !Expect(">") || !Expect(")") || !Expect("->") ||
      !parser_.ReadFlatTypes(result_type_ids_) || !parser_.ReadOptionalLoc(&source_)) {
    return false;
  }
  uint32_t number = static_cast<uint32_t>(generic ? attr("index").integer : *index);
  if (tuple != nullptr) {
    return number < tuple->elements.size()
               ? DefineElement(tuple->elements[number], number, name)
               : Fail(diag::Kind::ShapeRule, "%" + name.str() + " has no element " + std::to_string(number));
  }
  std::optional<ir::ValueId> element = parser_.Resolve(scope_, name, number, parser_.SpanOf(name));
  if (!element) {
    return false;
  }
  poisoned_ = !element->valid();
  if (poisoned_) {
    return true;
  }
  return DefineElement({*element}, number, name);
}

}  // namespace spmdc::text::stablehlo
