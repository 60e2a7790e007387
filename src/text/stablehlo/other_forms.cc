// Ops under the names that other dialects and older versions have for them, and elements of tuples.
//
//   stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>        a dot_general
//   sdy.constant dense<0> : tensor<i32>                                                 a constant
//   mhlo.copy %a : tensor<8xf32>                                                        a convert to the type it has
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

// `%1[4] {attributes} : (tuple<...>) -> type`: %1 is a call that makes a tuple, whose elements are its results here.
bool OpReader::ReadTupleElement(bool generic) {
  llvm::StringRef name;
  if ((generic && !Expect("(")) || !parser_.ReadUse(scope_, &name)) {
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
      !parser_.ReadTypeList(operand_type_ids_) || !Expect(">") || !Expect(")") || !Expect("->") ||
      !parser_.ReadResultTypes(result_type_ids_, nullptr) || !parser_.ReadOptionalLoc(&source_)) {
    return false;
  }
  uint32_t number = static_cast<uint32_t>(generic ? attr("index").integer : *index);
  std::optional<ir::ValueId> element = parser_.Resolve(scope_, name, number, parser_.SpanOf(name));
  if (!element) {
    return false;
  }
  poisoned_ = !element->valid();
  if (poisoned_) {
    return true;
  }
  const ir::Value& value = scope_.function.values[*element];
  if (binders_.size() != 1 || result_type_ids_.size() != 1 || value.type != result_type_ids_[0]) {
    return Fail(diag::Kind::ShapeRule, "element " + std::to_string(number) + " of %" + name.str() + " is " +
                                           ir::ToString(*module().tables, value.type));
  }
  return parser_.Define(scope_, binders_[0].name, {*element, 1});
}

}  // namespace spmdc::text::stablehlo
