// Values made from nothing: constant and iota.
#include "ops/constant.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/emit.h"
#include "ops/gather.h"
#include "ops/literal_text.h"
#include "ops/table.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

bool InferConstant(op::InferContext& cx) {
  const tensor::Literal& value = cx.attrs<ConstantAttrs>().value;
  cx.Result(value.dtype(), value.dims());
  return true;
}

bool InferIota(op::InferContext& cx) {
  const auto& attrs = cx.attrs<IotaAttrs>();
  if (tensor::Class(attrs.dtype) == tensor::DClass::Pred || tensor::Class(attrs.dtype) == tensor::DClass::Other) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "got the element type " + tensor::HloName(attrs.dtype).str() + ", expected numbers");
  }
  if (attrs.dim < 0 || attrs.dim >= static_cast<int64_t>(attrs.dims.size())) {
    return cx.Fail(diag::Kind::AxisRange, "counts along dim " + std::to_string(attrs.dim) + " of an array of rank " +
                                              std::to_string(attrs.dims.size()));
  }
  cx.Result(attrs.dtype, attrs.dims);
  return true;
}

// Without elements (an elided constant) there is nothing to compute with.
bool EvalConstant(op::EvalContext& cx) {
  const tensor::Literal& value = cx.attrs<ConstantAttrs>().value;
  if (value.is_unknown()) {
    return false;
  }
  cx.results.push_back(ConvertLiteral(value, cx.dtype(value.dtype())).Materialize());
  return true;
}

bool EvalIota(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<IotaAttrs>();
  tensor::DType dtype = cx.dtype(attrs.dtype);
  size_t dim = static_cast<size_t>(attrs.dim);
  tensor::Literal counted(tensor::DType::S64, attrs.dims);
  int64_t stride = tensor::Strides(attrs.dims)[dim];
  llvm::MutableArrayRef<int64_t> out = counted.mutable_data<int64_t>();
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<int64_t>(i) / stride % attrs.dims[dim];
  }
  cx.results.push_back(counted.ConvertTo(dtype));
  return true;
}

void NewRule(op::RuleBuilder& builder) {
  for (size_t d = 0; d < builder.results[0].rank(); ++d) {
    builder.Factor(builder.results[0].dims[d], op::FactorKind::New, {}, {static_cast<int64_t>(d)});
  }
}

// --- Lowering --------------------------------------------------------------------------------------------------------

// Where this device's block of dim d of the result begins; an invalid id if the dim is whole.
ir::ValueId BlockStart(op::LocalizeContext& cx, size_t d, tensor::DType dtype) {
  const mesh::Sharding& sharding = cx.result_sharding(0);
  if (mesh::ShardCount(sharding.dims[d]) == 1) {
    return {};
  }
  op::Builder& b = cx.builder();
  ir::ValueId index = cx.ShardIndex(sharding.mesh, sharding.dims[d].axes, dtype);
  if (cx.local_result(0).dims[d] == 1) {
    return index;
  }
  return b.Add1(ir::OpKind::Multiply, {index, EmitScalar(b, dtype, cx.local_result(0).dims[d])});
}

// The type that holds every index of dim d, padding included.
tensor::DType StartType(op::LocalizeContext& cx, size_t d) {
  return IndexType(cx.local_result(0).dims[d] * mesh::ShardCount(cx.result_sharding(0).dims[d]));
}

// All elements, with zeros behind each dim up to whole blocks.
tensor::Literal PadToBlocks(const tensor::Literal& value, llvm::ArrayRef<int64_t> dims) {
  tensor::Literal padded(value.dtype(), dims);
  if (value.size() == 0) {
    return padded;
  }
  size_t width = static_cast<size_t>(tensor::ByteWidth(value.dtype()));
  tensor::Dims strides = tensor::Strides(dims), index(dims.size(), 0);
  llvm::ArrayRef<char> from = value.raw();
  char* to = padded.mutable_raw();
  do {
    int64_t at = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      at += index[d] * strides[d];
    }
    std::copy_n(from.begin(), width, to + static_cast<size_t>(at) * width);
    from = from.drop_front(width);
  } while (tensor::NextIndex(index, value.dims()));
  return padded;
}

// The whole constant, and of it this device's block.
ir::ValueId SliceConstant(op::LocalizeContext& cx, const tensor::Literal& value) {
  op::Builder& b = cx.builder();
  ir::Type local = cx.local_result(0);
  tensor::Dims padded;
  tensor::DType index_type = tensor::DType::S32;
  for (size_t d = 0; d < local.rank(); ++d) {
    padded.push_back(local.dims[d] * mesh::ShardCount(cx.result_sharding(0).dims[d]));
    index_type = StartType(cx, d) == tensor::DType::S64 ? tensor::DType::S64 : index_type;
  }
  bool full = llvm::equal(padded, value.dims());
  llvm::SmallVector<ir::ValueId, 4> operands = {EmitConstant(b, full ? value : PadToBlocks(value, padded))};
  for (size_t d = 0; d < local.rank(); ++d) {
    ir::ValueId start = BlockStart(cx, d, index_type);
    operands.push_back(start.valid() ? start : EmitScalar(b, index_type, 0));
  }
  return b.Add1(ir::OpKind::DynamicSlice, operands, b.Attrs(DynamicSliceAttrs{local.dims}));
}

bool LocalizeConstant(op::LocalizeContext& cx) {
  const tensor::Literal& value = cx.attrs<ConstantAttrs>().value;
  ir::Type local = cx.local_result(0);
  op::Builder& b = cx.builder();
  ir::ValueId result;
  if (value.is_splat() && local.rank() != 0) {
    result =
        EmitBroadcast(b, EmitConstant(b, tensor::Literal::Splat(value.dtype(), {}, value.raw().vec())), local.dims);
  } else if (local.dims == cx.global_result(0).dims) {
    result = EmitConstant(b, value);
  } else if (value.is_unknown() && !mesh::IsEven(cx.result_sharding(0), value.dims())) {
    return cx.Refuse("its elements are not in the text, so it cannot be padded to equal blocks");
  } else {
    result = SliceConstant(cx, value);
  }
  cx.Results({result});
  return result.valid();
}

// Counts from where the block begins.
bool LocalizeIota(op::LocalizeContext& cx) {
  const auto& attrs = cx.attrs<IotaAttrs>();
  size_t dim = static_cast<size_t>(attrs.dim);
  ir::Type local = cx.local_result(0);
  op::Builder& b = cx.builder();
  tensor::DType index_type = StartType(cx, dim);
  ir::ValueId start = BlockStart(cx, dim, index_type);
  tensor::DType counted = start.valid() ? index_type : attrs.dtype;
  ir::ValueId result = b.Add1(ir::OpKind::Iota, {}, b.Attrs(IotaAttrs{counted, local.dims, attrs.dim}));
  if (start.valid()) {
    result = b.Add1(ir::OpKind::Add, {result, EmitBroadcast(b, start, local.dims)});
    result = counted == attrs.dtype ? result : EmitConvert(b, result, attrs.dtype);
  }
  cx.Results({result});
  return result.valid();
}

// --- Spellings of constant -------------------------------------------------------------------------------------------

bool SetConstant(op::StablehloReader& reader, const op::MlirAttr& value) {
  if (value.kind != op::MlirAttr::Kind::Dense) {
    return reader.Fail(diag::Kind::LiteralForm, "expected a literal of elements");
  }
  reader.SetAttrs(reader.module().tables->attrs.Add(ConstantAttrs{value.literal}));
  return true;
}

// `{attributes} dense<...> : type`
bool ParseConstant(op::StablehloReader& reader) {
  if (!reader.OptionalDict()) {
    return false;
  }
  std::optional<op::MlirAttr> value = reader.Attribute();
  if (!value || !SetConstant(reader, *value)) {
    return false;
  }
  if (value->type) {
    reader.SetResultTypes({*value->type});
  }
  return true;
}

bool ConstantFromGeneric(op::StablehloReader& reader) { return SetConstant(reader, reader.attr("value")); }

void PrintMlirConstant(op::StablehloPrinter& printer) {
  const tensor::Literal& value = printer.attrs<ConstantAttrs>().value;
  printer.PrettyConstant(MlirText(value) + " : " + op::MlirType(ir::ArrayType(value.dtype(), value.dims())), true);
}

bool ReadHloConstant(op::HloReader& reader, ir::AttrsId& attrs) {
  if (reader.results().size() != 1) {
    return reader.Fail("", "a constant is one array");
  }
  std::optional<tensor::Literal> value = reader.ParseLiteral(reader.operand_text(), reader.results()[0]);
  if (!value) {
    return false;
  }
  attrs = reader.module().tables->attrs.Add(ConstantAttrs{std::move(*value)});
  return true;
}

void PrintHloConstant(op::HloPrinter& printer) { printer.Operands(HloText(printer.attrs<ConstantAttrs>().value)); }

// `jnp.array([1.0, 2.0], dtype=f32)`; one number many times as `jnp.array(np.full((8, 4), 1.0), dtype=f32)`.
void PrintNativeConstant(op::NativePrinter& printer) {
  const tensor::Literal& value = printer.attrs<ConstantAttrs>().value;
  if (value.is_unknown()) {
    printer.Callee("spmdc.unknown_constant");
    printer.Tuple("shape", value.dims());
  } else if (value.is_splat() && !value.dims().empty()) {
    printer.Callee("jnp.array");
    printer.Args("np.full(" + op::PythonTuple(value.dims()) + ", " + PythonText(value) + ")");
  } else {
    printer.Callee("jnp.array");
    printer.Args(PythonText(value));
  }
  printer.Keyword("dtype", tensor::HloName(value.dtype()).str());
}

// --- Spellings of iota -----------------------------------------------------------------------------------------------

bool SetIota(op::StablehloReader& reader, int64_t dim) {
  if (reader.result_types().size() != 1) {
    return reader.Fail(diag::Kind::ResultType, "expected one result");
  }
  const ir::Type& type = reader.result_types()[0];
  reader.SetAttrs(reader.module().tables->attrs.Add(IotaAttrs{type.dtype, type.dims, dim}));
  return true;
}

// `dim = 0 : type`
bool ParseIota(op::StablehloReader& reader) {
  if (!reader.Expect("dim") || !reader.Expect("=")) {
    return false;
  }
  std::optional<int64_t> dim = reader.Int();
  return dim && reader.ColonTypes() && SetIota(reader, *dim);
}

bool IotaFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& dim = reader.attr("iota_dimension");
  return dim ? SetIota(reader, dim.integer)
             : reader.Fail(diag::Kind::Attribute, "expected the attribute iota_dimension");
}

void PrintMlirIota(op::StablehloPrinter& printer) {
  printer.PrettyConstant("dim = " + std::to_string(printer.attrs<IotaAttrs>().dim), false);
}

bool ReadHloIota(op::HloReader& reader, ir::AttrsId& attrs) {
  std::optional<int64_t> dim = reader.Int("iota_dimension");
  if (!dim || reader.results().size() != 1) {
    return reader.Fail("iota_dimension", "expected the number of a dim");
  }
  const ir::Type& type = reader.results()[0];
  attrs = reader.module().tables->attrs.Add(IotaAttrs{type.dtype, type.dims, *dim});
  return true;
}

void PrintHloIota(op::HloPrinter& printer) {
  printer.Attr("iota_dimension", std::to_string(printer.attrs<IotaAttrs>().dim));
}

// --- Definitions -----------------------------------------------------------------------------------------------------

constexpr op::OpDef FromNothing(ir::OpKind kind, bool (*infer)(op::InferContext&), bool (*eval)(op::EvalContext&),
                                llvm::StringRef name) {
  op::OpDef def;
  def.kind = kind;
  def.precedence = op::Precedence::None;
  def.constant_like = true;
  def.flops = 0;
  def.infer = infer;
  def.rule = NewRule;
  def.eval = eval;
  def.hlo_opcode = name;
  return def;
}

constexpr op::OpDef ConstantDef() {
  op::OpDef def = FromNothing(ir::OpKind::Constant, InferConstant, EvalConstant, "constant");
  def.make_attrs = ir::NewAttrs<ConstantAttrs>;
  def.localize = LocalizeConstant;
  def.parse_stablehlo = ParseConstant;
  def.from_generic = ConstantFromGeneric;
  def.print_stablehlo = PrintMlirConstant;
  def.read_hlo = ReadHloConstant;
  def.print_hlo = PrintHloConstant;
  def.print_native = PrintNativeConstant;
  return def;
}

constexpr op::OpDef IotaDef() {
  op::OpDef def = FromNothing(ir::OpKind::Iota, InferIota, EvalIota, "iota");
  def.make_attrs = ir::NewAttrs<IotaAttrs>;
  def.takes_out_sharding = true;
  def.localize = LocalizeIota;
  def.parse_stablehlo = ParseIota;
  def.from_generic = IotaFromGeneric;
  def.print_stablehlo = PrintMlirIota;
  def.read_hlo = ReadHloIota;
  def.print_hlo = PrintHloIota;
  def.native_name = "lax.broadcasted_iota";
  return def;
}

}  // namespace

constinit const op::OpDef kConstant = ConstantDef();
constinit const op::OpDef kIota = IotaDef();

}  // namespace spmdc::ops
