// Spellings of convert, reduce_precision, compare, select and complex.
#include "ops/elementwise_text.h"

#include "op/op_def.h"
#include "ops/elementwise.h"

namespace spmdc::ops {
namespace {

constexpr llvm::StringRef kDirections[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
constexpr llvm::StringRef kCompareTypes[] = {"DEFAULT", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};

template <typename E>
std::optional<E> FindEnum(llvm::ArrayRef<llvm::StringRef> names, llvm::StringRef text) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) {
      return static_cast<E>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

CompareType NaturalCompareType(tensor::DType dtype) {
  switch (tensor::Class(dtype)) {
    case tensor::DClass::Signed:
      return CompareType::Signed;
    case tensor::DClass::Pred:
    case tensor::DClass::Unsigned:
      return CompareType::Unsigned;
    default:
      return CompareType::Float;
  }
}

// --- convert ---------------------------------------------------------------------------------------------------------

bool ConvertFromGeneric(op::StablehloReader& reader) {
  if (reader.result_types().size() != 1) {
    return reader.Fail(diag::Kind::ResultType, "expected one result");
  }
  reader.SetAttrs(reader.module().tables->attrs.Add(ConvertAttrs{reader.result_types()[0].dtype}));
  return true;
}

bool ParseConvert(op::StablehloReader& reader) {
  return reader.Operand() && reader.ColonTypes() && ConvertFromGeneric(reader);
}

void PrintMlirConvert(op::StablehloPrinter& printer) { printer.Pretty(printer.Operand(0)); }

// A conversion to the operand's own type (HLO's annotated copy) is none in JAX.
void PrintNativeConvert(op::NativePrinter& printer) {
  const ir::Function& function = printer.function();
  tensor::DType from = printer.module().type(function, function.operands(printer.inst())[0]).dtype;
  tensor::DType to = printer.attrs<ConvertAttrs>().dtype;
  printer.Callee(from == to ? "spmdc.op" : "lax.convert_element_type");
  printer.Keyword("new_dtype", tensor::HloName(to).str());
}

bool ReadHloConvert(op::HloReader& reader, ir::AttrsId& attrs) {
  if (reader.results().size() != 1) {
    return reader.Fail("", "convert makes one array");
  }
  attrs = reader.module().tables->attrs.Add(ConvertAttrs{reader.results()[0].dtype});
  return true;
}

// --- reduce_precision ------------------------------------------------------------------------------------------------

// `%0, format = e5m10 : type`
bool ParseReducePrecision(op::StablehloReader& reader) {
  if (!reader.Operand() || !reader.Expect(",") || !reader.Expect("format") || !reader.Expect("=")) {
    return false;
  }
  std::optional<std::string> word = reader.Word();
  if (!word) {
    return false;
  }
  llvm::StringRef format = *word;
  ReducePrecisionAttrs attrs;
  if (!format.consume_front("e") || format.consumeInteger(10, attrs.exponent_bits) || !format.consume_front("m") ||
      format.getAsInteger(10, attrs.mantissa_bits)) {
    return reader.Fail(diag::Kind::Attribute, "got the format `" + *word + "`, expected one like e5m10");
  }
  reader.SetAttrs(reader.module().tables->attrs.Add(attrs));
  return reader.ColonTypes();
}

bool ReducePrecisionFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& exponent = reader.attr("exponent_bits");
  const op::MlirAttr& mantissa = reader.attr("mantissa_bits");
  if (!exponent || !mantissa) {
    return reader.Fail(diag::Kind::Attribute, "expected exponent_bits and mantissa_bits");
  }
  reader.SetAttrs(reader.module().tables->attrs.Add(ReducePrecisionAttrs{exponent.integer, mantissa.integer}));
  return true;
}

void PrintMlirReducePrecision(op::StablehloPrinter& printer) {
  const auto& attrs = printer.attrs<ReducePrecisionAttrs>();
  printer.Pretty(printer.Operand(0) + ", format = e" + std::to_string(attrs.exponent_bits) + "m" +
                 std::to_string(attrs.mantissa_bits));
}

bool ReadHloReducePrecision(op::HloReader& reader, ir::AttrsId& attrs) {
  std::optional<int64_t> exponent = reader.Int("exponent_bits");
  std::optional<int64_t> mantissa = reader.Int("mantissa_bits");
  if (!exponent || !mantissa) {
    return reader.Fail(exponent ? "mantissa_bits" : "exponent_bits", "expected a number");
  }
  attrs = reader.module().tables->attrs.Add(ReducePrecisionAttrs{*exponent, *mantissa});
  return true;
}

void PrintHloReducePrecision(op::HloPrinter& printer) {
  const auto& attrs = printer.attrs<ReducePrecisionAttrs>();
  printer.Attr("exponent_bits", std::to_string(attrs.exponent_bits));
  printer.Attr("mantissa_bits", std::to_string(attrs.mantissa_bits));
}

// --- compare ---------------------------------------------------------------------------------------------------------

namespace {

CompareType Resolve(CompareType written, llvm::ArrayRef<ir::Type> operands) {
  return written == CompareType::Default && !operands.empty() ? NaturalCompareType(operands[0].dtype) : written;
}

bool SetCompare(op::StablehloReader& reader, llvm::StringRef direction, llvm::StringRef type) {
  std::optional<Direction> d = FindEnum<Direction>(kDirections, direction);
  if (!d) {
    return reader.Fail(diag::Kind::Attribute,
                       "got the direction `" + direction.str() + "`, expected EQ, NE, LT, LE, GT or GE");
  }
  bool written = !type.empty() && type != "NOTYPE";
  std::optional<CompareType> t = FindEnum<CompareType>(kCompareTypes, written ? type : "DEFAULT");
  if (!t || (written && *t == CompareType::Default)) {
    return reader.Fail(diag::Kind::Attribute,
                       "got the type `" + type.str() + "`, expected FLOAT, TOTALORDER, SIGNED or UNSIGNED");
  }
  reader.SetAttrs(reader.module().tables->attrs.Add(CompareAttrs{*d, Resolve(*t, reader.operand_types())}));
  return true;
}

}  // namespace

// `LT, %a, %b, SIGNED : types`
bool ParseCompare(op::StablehloReader& reader) {
  std::optional<std::string> direction = reader.Word();
  if (!direction || !reader.Expect(",") || !reader.Operand() || !reader.Expect(",") || !reader.Operand()) {
    return false;
  }
  std::string type;
  if (reader.TryToken(",")) {
    std::optional<std::string> word = reader.Word();
    if (!word) {
      return false;
    }
    type = *word;
  }
  return reader.ColonTypes() && SetCompare(reader, *direction, type);
}

bool CompareFromGeneric(op::StablehloReader& reader) {
  return SetCompare(reader, reader.attr("comparison_direction").text, reader.attr("compare_type").text);
}

void PrintMlirCompare(op::StablehloPrinter& printer) {
  const auto& attrs = printer.attrs<CompareAttrs>();
  constexpr llvm::StringRef kTypes[] = {"", ", FLOAT", ", TOTALORDER", ", SIGNED", ", UNSIGNED"};
  printer.Pretty(kDirections[static_cast<size_t>(attrs.direction)].str() + ", " + printer.Operand(0) + ", " +
                 printer.Operand(1) + kTypes[static_cast<size_t>(attrs.type)].str());
}

bool ReadHloCompare(op::HloReader& reader, ir::AttrsId& attrs) {
  std::optional<std::string> direction = reader.Text("direction");
  std::optional<Direction> d = FindEnum<Direction>(kDirections, direction.value_or(""));
  if (!d) {
    return reader.Fail("direction", "expected EQ, NE, LT, LE, GT or GE");
  }
  CompareType type = CompareType::Default;
  if (std::optional<std::string> text = reader.Text("type")) {
    std::optional<CompareType> found = FindEnum<CompareType>(kCompareTypes, *text);
    if (!found) {
      return reader.Fail("type", "expected FLOAT, TOTALORDER, SIGNED or UNSIGNED");
    }
    type = *found;
  }
  attrs = reader.module().tables->attrs.Add(CompareAttrs{*d, Resolve(type, reader.operands())});
  return true;
}

void PrintHloCompare(op::HloPrinter& printer) {
  const auto& attrs = printer.attrs<CompareAttrs>();
  printer.Attr("direction", kDirections[static_cast<size_t>(attrs.direction)].str());
  if (attrs.type == CompareType::TotalOrder) {
    printer.Attr("type", "TOTALORDER");
  }
}

// lax.lt(a, b); the total order has no public name in JAX.
void PrintNativeCompare(op::NativePrinter& printer) {
  const auto& attrs = printer.attrs<CompareAttrs>();
  llvm::StringRef direction = kDirections[static_cast<size_t>(attrs.direction)];
  if (attrs.type == CompareType::TotalOrder) {
    printer.Keyword("direction", "'" + direction.str() + "'");
    printer.Keyword("compare_type", "'TOTALORDER'");
    return;
  }
  printer.Callee("lax." + direction.lower());
}

// --- select, complex -------------------------------------------------------------------------------------------------

namespace {

bool Operands(op::StablehloReader& reader, int count) {
  for (int i = 0; i < count; ++i) {
    if ((i != 0 && !reader.Expect(",")) || !reader.Operand()) {
      return false;
    }
  }
  return true;
}

}  // namespace

// `%p, %a, %b : tensor<i1>, tensor<4xf32>`: the predicate's type and that of all else.
bool ParseSelect(op::StablehloReader& reader) {
  if (!Operands(reader, 3) || !reader.ColonTypes()) {
    return false;
  }
  llvm::ArrayRef<ir::Type> types = reader.operand_types();
  if (types.size() == 2) {
    ir::Type which = types[0], value = types[1];
    reader.SetOperandTypes({which, value, value});
    reader.SetResultTypes({value});
  }
  return true;
}

// `%re, %im : tensor<4xcomplex<f32>>`: the result's type, whose parts the operands are.
bool ParseComplex(op::StablehloReader& reader) {
  if (!Operands(reader, 2) || !reader.ColonTypes()) {
    return false;
  }
  llvm::ArrayRef<ir::Type> types = reader.operand_types();
  if (types.size() == 2 && tensor::IsComplex(types[0].dtype)) {
    ir::Type part = types[0];
    part.dtype = tensor::RealPart(part.dtype);
    reader.SetOperandTypes({part, part});
  }
  return true;
}

}  // namespace spmdc::ops
