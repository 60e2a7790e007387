// bitcast_convert: the same bits as another element type. Where the widths differ, a minor dim of the narrower type's array
// holds the parts of one wider element.
#include <cstring>

#include "ops/dims.h"
#include "ops/elementwise.h"
#include "ops/elementwise_text.h"
#include "ops/table.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::Literal;

bool InferBitcast(op::InferContext& cx) {
  const ir::Type& x = cx.operand(0);
  tensor::DType to = cx.attrs<ConvertAttrs>().dtype;
  int64_t from_bits = tensor::BitWidth(x.dtype), to_bits = tensor::BitWidth(to);
  tensor::Dims dims = x.dims;
  if (from_bits > to_bits) {
    dims.push_back(from_bits / to_bits);
  } else if (from_bits < to_bits) {
    if (dims.empty() || dims.back() != to_bits / from_bits) {
      return cx.Fail(diag::Kind::ShapeRule, "the operand is " + cx.Show(x) + ", expected a last dim of " +
                                                std::to_string(to_bits / from_bits) + " parts of one " +
                                                tensor::HloName(to).str());
    }
    dims.pop_back();
  }
  auto numeric = [](tensor::DType t) { return t != tensor::DType::Pred && tensor::BitWidth(t) >= 8; };
  if (!numeric(x.dtype) || !numeric(to) || tensor::IsComplex(x.dtype) != tensor::IsComplex(to)) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "the bits of " + cx.Show(x) + " cannot be taken as those of " + tensor::HloName(to).str());
  }
  cx.Result(to, dims);
  return true;
}

void RuleBitcast(op::RuleBuilder& b) {
  size_t common = std::min(b.operands[0].rank(), b.results[0].rank());
  for (size_t d = 0; d < common; ++d) {
    auto dim = static_cast<int64_t>(d);
    b.Factor(b.operands[0].dims[d], op::FactorKind::Map, {dim}, {dim});
  }
  auto last = static_cast<int64_t>(common);
  if (b.operands[0].rank() > common) {
    b.Factor(b.operands[0].dims[common], op::FactorKind::Whole, {last}, {op::kNoDim});
  } else if (b.results[0].rank() > common) {
    b.Factor(b.results[0].dims[common], op::FactorKind::Whole, {op::kNoDim}, {last});
  }
}

// jax/_src/lax/lax.py, _bitcast_convert_type_sharding_rule: a part dim comes unsharded, and goes with its sharding.
bool ExplicitBitcast(op::ExplicitContext& cx) {
  mesh::Sharding sharding = cx.operand(0);
  sharding.dims.resize(cx.infer.results[0].rank());
  cx.results.push_back(std::move(sharding));
  return true;
}

bool EvalBitcast(op::EvalContext& cx) {
  tensor::DType from = cx.module.type(cx.function, cx.function.operands(cx.inst)[0]).dtype;
  tensor::DType to = cx.attrs<ConvertAttrs>().dtype;
  Literal bits = ConvertLiteral(cx.operand(0), from).Materialize();
  Literal result = Literal::Dense(to, cx.result_type().dims, {bits.raw().begin(), bits.raw().end()});
  cx.results.push_back(ConvertLiteral(result, cx.dtype(to)));
  return true;
}

}  // namespace

const op::OpDef kBitcastConvert = {
    .kind = ir::OpKind::BitcastConvert,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<ConvertAttrs>,
    .classic = {.same_dims = true},
    .flops = 0,
    .infer = InferBitcast,
    .rule = RuleBitcast,
    .explicit_types = ExplicitBitcast,
    .eval = EvalBitcast,
    .hlo_opcode = "bitcast-convert",
    .read_hlo = ReadHloConvert,
    .parse_stablehlo = ParseConvert,
    .from_generic = ConvertFromGeneric,
    .print_stablehlo = PrintMlirConvert,
    .native_name = "lax.bitcast_convert_type",
};

}  // namespace spmdc::ops
