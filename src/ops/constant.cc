// Values made from nothing: constant and iota.
#include "ops/constant.h"

#include "op/op_def.h"
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
  return def;
}

constexpr op::OpDef IotaDef() {
  op::OpDef def = FromNothing(ir::OpKind::Iota, InferIota, EvalIota, "iota");
  def.make_attrs = ir::NewAttrs<IotaAttrs>;
  def.takes_out_sharding = true;
  return def;
}

}  // namespace

constinit const op::OpDef kConstant = ConstantDef();
constinit const op::OpDef kIota = IotaDef();

}  // namespace spmdc::ops
