// dot_general: typing, rule, spellings.
#include "ops/dot.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/dot_eval.h"
#include "ops/table.h"
#include "ops/typing.h"
#include "support/starts_with.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

// --- Inference -------------------------------------------------------------------------------------------------------

bool CheckOperandDims(op::InferContext& cx, size_t operand, const tensor::Dims& contracting,
                      const tensor::Dims& batch) {
  const ir::Type& x = cx.operand(operand);
  std::string side = operand == 0 ? "lhs" : "rhs";
  tensor::Dims seen;
  for (const tensor::Dims* dims : {&batch, &contracting}) {
    for (int64_t d : *dims) {
      std::string what = side + (dims == &batch ? " batch" : " contracting") + " dim " + std::to_string(d);
      if (d < 0 || d >= static_cast<int64_t>(x.rank())) {
        return cx.Fail(diag::Kind::AxisRange, what + " is outside " + cx.Show(x));
      }
      if (llvm::is_contained(seen, d)) {
        return cx.Fail(diag::Kind::ShapeRule, what + " is named twice");
      }
      seen.push_back(d);
    }
  }
  return true;
}

// Paired dims have equal sizes.
bool CheckPairs(op::InferContext& cx, llvm::StringRef what, const tensor::Dims& lhs, const tensor::Dims& rhs) {
  const ir::Type& a = cx.operand(0);
  const ir::Type& b = cx.operand(1);
  if (lhs.size() != rhs.size()) {
    return cx.Fail(diag::Kind::ContractingSize, "got " + std::to_string(lhs.size()) + " lhs and " +
                                                    std::to_string(rhs.size()) + " rhs " + what.str() +
                                                    " dims, expected as many on both sides");
  }
  for (size_t i = 0; i < lhs.size(); ++i) {
    int64_t m = a.dims[static_cast<size_t>(lhs[i])], n = b.dims[static_cast<size_t>(rhs[i])];
    if (m != n) {
      return cx.Fail(diag::Kind::ContractingSize, what.str() + " dim " + std::to_string(lhs[i]) + " of " + cx.Show(a) +
                                                      " has size " + std::to_string(m) + " and dim " +
                                                      std::to_string(rhs[i]) + " of " + cx.Show(b) + " has size " +
                                                      std::to_string(n) + ", expected equal sizes");
    }
  }
  return true;
}

bool InferDot(op::InferContext& cx) {
  const auto& attrs = cx.attrs<DotGeneralAttrs>();
  const ir::Type& a = cx.operand(0);
  const ir::Type& b = cx.operand(1);
  for (const ir::Type* x : {&a, &b}) {
    if (!x->is_array()) {
      return cx.Fail(diag::Kind::DtypeRule, "got " + cx.Show(*x) + ", expected an array");
    }
  }
  if (!CheckDotDims(cx, attrs.lhs_contracting, attrs.rhs_contracting, attrs.lhs_batch, attrs.rhs_batch)) {
    return false;
  }
  bool complex = tensor::IsComplex(a.dtype) || tensor::IsComplex(b.dtype);
  if (tensor::Class(attrs.result_dtype) == tensor::DClass::Other ||
      (complex && !tensor::IsComplex(attrs.result_dtype))) {
    return cx.Fail(diag::Kind::DtypeRule, "cannot make " + tensor::HloName(attrs.result_dtype).str() + " elements of " +
                                              cx.Show(a) + " and " + cx.Show(b));
  }
  tensor::Dims dims;
  for (int64_t d : attrs.lhs_batch) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
  }
  for (int64_t d : FreeDims(a.rank(), attrs.lhs_contracting, attrs.lhs_batch)) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
  }
  for (int64_t d : FreeDims(b.rank(), attrs.rhs_contracting, attrs.rhs_batch)) {
    dims.push_back(b.dims[static_cast<size_t>(d)]);
  }
  cx.Result(attrs.result_dtype, dims);
  return true;
}

// --- Rule ------------------------------------------------------------------------------------------------------------

void DotRule(op::RuleBuilder& builder) {
  const auto& attrs = builder.attrs<DotGeneralAttrs>();
  const ir::Type& a = builder.operands[0];
  const ir::Type& b = builder.operands[1];
  int64_t result_dim = 0;
  for (size_t i = 0; i < attrs.lhs_batch.size(); ++i) {
    builder.Factor(a.dims[static_cast<size_t>(attrs.lhs_batch[i])], FactorKind::Map,
                   {attrs.lhs_batch[i], attrs.rhs_batch[i]}, {result_dim++});
  }
  for (int64_t d : FreeDims(a.rank(), attrs.lhs_contracting, attrs.lhs_batch)) {
    builder.Factor(a.dims[static_cast<size_t>(d)], FactorKind::Map, {d, kNoDim}, {result_dim++});
  }
  for (int64_t d : FreeDims(b.rank(), attrs.rhs_contracting, attrs.rhs_batch)) {
    builder.Factor(b.dims[static_cast<size_t>(d)], FactorKind::Map, {kNoDim, d}, {result_dim++});
  }
  for (size_t i = 0; i < attrs.lhs_contracting.size(); ++i) {
    builder.Factor(a.dims[static_cast<size_t>(attrs.lhs_contracting[i])], FactorKind::Reduce,
                   {attrs.lhs_contracting[i], attrs.rhs_contracting[i]}, {kNoDim});
  }
  if (attrs.result_dtype == tensor::DType::Pred) {  // sums of pred are or
    builder.Combine(0, mesh::Monoid::Or);
  }
}

// --- Spellings -------------------------------------------------------------------------------------------------------

// `[0] x [0]`
bool ParsePair(op::StablehloReader& reader, tensor::Dims& lhs, tensor::Dims& rhs) {
  std::optional<tensor::Dims> left = reader.IntList();
  if (!left || !reader.Expect("x")) {
    return false;
  }
  std::optional<tensor::Dims> right = reader.IntList();
  if (!right) {
    return false;
  }
  lhs = std::move(*left);
  rhs = std::move(*right);
  return true;
}

// `[DEFAULT, DEFAULT]`
bool ParsePrecision(op::StablehloReader& reader, std::string& precision) {
  if (!reader.Expect("[")) {
    return false;
  }
  std::string words;
  do {
    std::optional<std::string> word = reader.Word();
    if (!word) {
      return false;
    }
    words += (words.empty() ? "" : ", ") + *word;
  } while (reader.TryToken(","));
  precision = PrecisionOf(words);
  return reader.Expect("]");
}

// Enums and numbers of an algorithm attribute, as `name = value, ...`.
std::string AlgorithmText(const op::MlirAttr& attr) {
  std::string text;
  for (const auto& [name, value] : attr.fields) {
    std::string shown = value.kind == op::MlirAttr::Kind::Bool   ? (value.integer != 0 ? "true" : "false")
                        : value.kind == op::MlirAttr::Kind::Int  ? std::to_string(value.integer)
                        : value.kind == op::MlirAttr::Kind::Type ? tensor::StablehloName(value.type->dtype).str()
                                                                 : value.text;
    text += (text.empty() ? "" : ", ") + name + " = " + shown;
  }
  return text;
}

bool SetDot(op::StablehloReader& reader, DotGeneralAttrs attrs) {
  if (reader.result_types().size() != 1) {
    return reader.Fail(diag::Kind::ResultType, "expected one result");
  }
  attrs.result_dtype = reader.result_types()[0].dtype;
  reader.SetAttrs(reader.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

// One of the clauses `name = value` behind the operands.
bool ParseClause(op::StablehloReader& reader, DotGeneralAttrs& attrs) {
  if (reader.TryToken("batching_dims")) {
    return reader.Expect("=") && ParsePair(reader, attrs.lhs_batch, attrs.rhs_batch);
  }
  if (reader.TryToken("contracting_dims")) {
    return reader.Expect("=") && ParsePair(reader, attrs.lhs_contracting, attrs.rhs_contracting);
  }
  if (reader.TryToken("precision")) {
    return reader.Expect("=") && ParsePrecision(reader, attrs.precision);
  }
  if (!reader.Expect("algorithm") || !reader.Expect("=")) {
    return false;
  }
  std::optional<op::MlirAttr> algorithm = reader.Attribute();
  attrs.algorithm = algorithm ? AlgorithmText(*algorithm) : "";
  return algorithm.has_value();
}

bool ParseDot(op::StablehloReader& reader) {
  if (!reader.Operand() || !reader.Expect(",") || !reader.Operand()) {
    return false;
  }
  DotGeneralAttrs attrs;
  while (reader.TryToken(",")) {
    if (!ParseClause(reader, attrs)) {
      return false;
    }
  }
  return reader.ColonTypes() && SetDot(reader, std::move(attrs));
}

bool DotFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& numbers = reader.attr("dot_dimension_numbers");
  if (!numbers) {
    return reader.Fail(diag::Kind::Attribute, "expected the attribute dot_dimension_numbers");
  }
  DotGeneralAttrs attrs;
  attrs.lhs_batch = numbers["lhs_batching_dimensions"].ints();
  attrs.rhs_batch = numbers["rhs_batching_dimensions"].ints();
  attrs.lhs_contracting = numbers["lhs_contracting_dimensions"].ints();
  attrs.rhs_contracting = numbers["rhs_contracting_dimensions"].ints();
  attrs.precision = PrecisionOf(reader.attr("precision_config"));
  attrs.algorithm = AlgorithmText(reader.attr("algorithm"));
  return SetDot(reader, std::move(attrs));
}

// The algorithm as a text in either language had it: only StableHLO's description is StableHLO.
void PrintMlirDot(op::StablehloPrinter& printer) {
  const auto& attrs = printer.attrs<DotGeneralAttrs>();
  std::string text = printer.Operand(0) + ", " + printer.Operand(1);
  if (!attrs.lhs_batch.empty()) {
    text += ", batching_dims = " + op::MlirInts(attrs.lhs_batch) + " x " + op::MlirInts(attrs.rhs_batch);
  }
  text += ", contracting_dims = " + op::MlirInts(attrs.lhs_contracting) + " x " + op::MlirInts(attrs.rhs_contracting);
  text += attrs.precision.empty() ? "" : ", precision = [" + attrs.precision + "]";
  bool described = llvm::StringRef(attrs.algorithm).contains(" = ");
  printer.Pretty(text + (described ? ", algorithm = <" + attrs.algorithm + ">" : ""));
}

bool ReadHloDot(op::HloReader& reader, ir::AttrsId& id) {
  if (reader.results().size() != 1) {
    return reader.Fail("", "dot makes one array");
  }
  DotGeneralAttrs attrs;
  attrs.result_dtype = reader.results()[0].dtype;
  std::pair<llvm::StringRef, tensor::Dims*> lists[] = {{"lhs_batch_dims", &attrs.lhs_batch},
                                                       {"lhs_contracting_dims", &attrs.lhs_contracting},
                                                       {"rhs_batch_dims", &attrs.rhs_batch},
                                                       {"rhs_contracting_dims", &attrs.rhs_contracting}};
  for (auto& [name, dims] : lists) {
    if (auto listed = reader.Ints(name)) {
      dims->assign(listed->begin(), listed->end());
    }
  }
  attrs.precision = ReadHloPrecision(reader);
  attrs.algorithm = reader.Text("algorithm").value_or("");
  id = reader.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// Whether a text asked for more than the default.
bool AsksPrecision(llvm::StringRef precision) { return precision.contains("HIGH") || precision.contains("PACKED"); }

void PrintHloDot(op::HloPrinter& printer) {
  const auto& attrs = printer.attrs<DotGeneralAttrs>();
  if (!attrs.lhs_batch.empty()) {
    printer.Ints("lhs_batch_dims", attrs.lhs_batch);
  }
  printer.Ints("lhs_contracting_dims", attrs.lhs_contracting);
  if (!attrs.rhs_batch.empty()) {
    printer.Ints("rhs_batch_dims", attrs.rhs_batch);
  }
  printer.Ints("rhs_contracting_dims", attrs.rhs_contracting);
  PrintHloPrecision(printer, attrs.precision);
  // HLO names algorithms by one word; StableHLO's description of one has no such name here.
  if (StartsWith(llvm::StringRef(attrs.algorithm), "dot_")) {
    printer.Attr("algorithm", attrs.algorithm);
  }
}

void PrintNativeDot(op::NativePrinter& printer) {
  const auto& attrs = printer.attrs<DotGeneralAttrs>();
  const ir::Function& f = printer.function();
  printer.Keyword("dimension_numbers",
                  "((" + op::PythonTuple(attrs.lhs_contracting) + ", " + op::PythonTuple(attrs.rhs_contracting) +
                      "), (" + op::PythonTuple(attrs.lhs_batch) + ", " + op::PythonTuple(attrs.rhs_batch) + "))");
  if (!attrs.precision.empty()) {
    llvm::SmallVector<llvm::StringRef, 2> parts;
    llvm::StringRef(attrs.precision).split(parts, ", ");
    printer.Keyword("precision", "('" + parts.front().lower() + "', '" + parts.back().lower() + "')");
  }
  bool told = llvm::all_of(f.operands(printer.inst()),
                           [&](ir::ValueId v) { return printer.module().type(f, v).dtype == attrs.result_dtype; });
  if (!told) {
    printer.Keyword("preferred_element_type", tensor::HloName(attrs.result_dtype).str());
  }
  if (!attrs.algorithm.empty()) {
    printer.Keyword("algorithm", "'" + attrs.algorithm + "'");
  }
}

constexpr op::OpDef DotDef() {
  op::OpDef def;
  def.kind = ir::OpKind::DotGeneral;
  def.min_operands = def.max_operands = 2;
  def.make_attrs = ir::NewAttrs<DotGeneralAttrs>;
  def.explicit_types = DotTypes;
  def.parse_stablehlo = ParseDot;
  def.from_generic = DotFromGeneric;
  def.print_stablehlo = PrintMlirDot;
  def.read_hlo = ReadHloDot;
  def.print_hlo = PrintHloDot;
  def.print_native = PrintNativeDot;
  def.linear = op::Linear::Multi;
  def.takes_out_sharding = true;
  def.classic = {.take = op::Classic::Take::Contraction, .operands_join = true, .may_reshard = false};
  def.flops = 2;
  def.infer = InferDot;
  def.rule = DotRule;
  def.eval = EvalDotGeneral;
  def.hlo_opcode = "dot";
  def.native_name = "lax.dot_general";
  return def;
}

}  // namespace

tensor::Dims FreeDims(size_t rank, const tensor::Dims& contracting, const tensor::Dims& batch) {
  tensor::Dims free;
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d) {
    if (!llvm::is_contained(contracting, d) && !llvm::is_contained(batch, d)) {
      free.push_back(d);
    }
  }
  return free;
}

bool CheckDotDims(op::InferContext& cx, const tensor::Dims& lhs_contracting, const tensor::Dims& rhs_contracting,
                  const tensor::Dims& lhs_batch, const tensor::Dims& rhs_batch) {
  return CheckOperandDims(cx, 0, lhs_contracting, lhs_batch) && CheckOperandDims(cx, 1, rhs_contracting, rhs_batch) &&
         CheckPairs(cx, "contracting", lhs_contracting, rhs_contracting) &&
         CheckPairs(cx, "batch", lhs_batch, rhs_batch);
}

std::string PrecisionOf(llvm::StringRef words) {
  std::string precision;
  llvm::SmallVector<llvm::StringRef, 2> parts;
  words.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    precision += (precision.empty() ? "" : ", ") + part.trim().upper();
  }
  return AsksPrecision(precision) ? precision : "";
}

std::string PrecisionOf(const op::MlirAttr& precision_config) {
  std::string words;
  for (const op::MlirAttr& item : precision_config.items) {
    words += (words.empty() ? "" : ",") + item.text;
  }
  return PrecisionOf(words);
}

std::string ReadHloPrecision(op::HloReader& reader) {
  std::string written = reader.Text("operand_precision").value_or("");
  return PrecisionOf(llvm::StringRef(written).trim("{} "));
}

void PrintHloPrecision(op::HloPrinter& printer, llvm::StringRef precision) {
  if (!precision.empty()) {
    std::string text = precision.lower();
    llvm::erase_if(text, [](char c) { return c == ' '; });
    printer.Attr("operand_precision", "{" + text + "}");
  }
}

constinit const op::OpDef kDotGeneral = DotDef();

}  // namespace spmdc::ops
