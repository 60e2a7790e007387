// slice and pad: pieces of arrays with bounds that the program fixes.
#include "ops/slice.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"
#include "ops/dims.h"
#include "ops/size_change.h"
#include "ops/slice_text.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;

bool InferSlice(op::InferContext& cx) {
  const auto& attrs = cx.attrs<SliceAttrs>();
  const ir::Type& operand = cx.operand(0);
  size_t rank = operand.rank();
  if (!CheckPerDim(cx, "start_indices", attrs.starts, rank) || !CheckPerDim(cx, "limit_indices", attrs.limits, rank) ||
      !CheckPerDim(cx, "strides", attrs.strides, rank)) {
    return false;
  }
  tensor::Dims dims;
  for (size_t d = 0; d < rank; ++d) {
    int64_t start = attrs.starts[d], limit = attrs.limits[d], stride = attrs.strides[d];
    if (start < 0 || start > limit || limit > operand.dims[d] || stride < 1) {
      return cx.Fail(diag::Kind::ShapeRule, "bounds " + std::to_string(start) + ":" + std::to_string(limit) + ":" +
                                                std::to_string(stride) + " do not fit dim " + std::to_string(d) +
                                                " of " + cx.Show(operand));
    }
    dims.push_back((limit - start + stride - 1) / stride);
  }
  cx.Result(WithDims(operand, dims));
  return true;
}

void RuleSlice(op::RuleBuilder& b) {
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    int64_t size = b.operands[0].dims[d];
    b.Factor(size, size == b.results[0].dims[d] ? FactorKind::Map : FactorKind::Piece, {dim}, {dim});
  }
}

bool ExplicitSlice(op::ExplicitContext& cx) { return KeepOperandSharding(cx, "slicing"); }

// Dims taken whole stay so; the others are not sharded.
bool LocalizeSlice(op::LocalizeContext& cx) {
  SliceAttrs attrs = cx.attrs<SliceAttrs>();
  for (size_t d = 0; d < attrs.limits.size(); ++d) {
    if (cx.global_result(0).dims[d] == cx.global_operand(0).dims[d]) {
      attrs.limits[d] = cx.local_operand(0).dims[d];
    }
  }
  op::Builder& b = cx.builder();
  cx.Results({b.Add1(ir::OpKind::Slice, cx.operands(), b.Attrs(std::move(attrs)))});
  return true;
}

bool EvalSlice(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<SliceAttrs>();
  tensor::Literal operand = cx.operand(0).Materialize();
  tensor::Literal result(operand.dtype(), cx.result_type().dims);
  CopyBox(operand, attrs.starts, attrs.strides, result, tensor::Dims(result.dims().size(), 0), result.dims());
  cx.results.push_back(std::move(result));
  return true;
}

bool InferPad(op::InferContext& cx) {
  const auto& attrs = cx.attrs<PadAttrs>();
  const ir::Type& operand = cx.operand(0);
  const ir::Type& fill = cx.operand(1);
  size_t rank = operand.rank();
  if (!CheckPerDim(cx, "edge_padding_low", attrs.low, rank) ||
      !CheckPerDim(cx, "edge_padding_high", attrs.high, rank) ||
      !CheckPerDim(cx, "interior_padding", attrs.interior, rank)) {
    return false;
  }
  if (fill.rank() != 0 || fill.dtype != operand.dtype) {
    return cx.Fail(fill.rank() != 0 ? diag::Kind::ShapeRule : diag::Kind::DtypeRule,
                   "the padding value is " + cx.Show(fill) +
                       ", expected a scalar of the operand's element type, as in " + cx.Show(operand));
  }
  tensor::Dims dims;
  for (size_t d = 0; d < rank; ++d) {
    int64_t n = operand.dims[d];
    int64_t size = attrs.low[d] + attrs.high[d] + n + (n > 0 ? n - 1 : 0) * attrs.interior[d];
    if (attrs.interior[d] < 0 || size < 0) {
      return cx.Fail(diag::Kind::ShapeRule, "padding (" + std::to_string(attrs.low[d]) + ", " +
                                                std::to_string(attrs.high[d]) + ", " +
                                                std::to_string(attrs.interior[d]) + ") does not fit dim " +
                                                std::to_string(d) + " of " + cx.Show(operand));
    }
    dims.push_back(size);
  }
  cx.Result(WithDims(operand, dims));
  return true;
}

// A dim that padding leaves as it is; equal sizes alone do not say so (low -1, high 1 shifts).
bool Untouched(const PadAttrs& attrs, const ir::Type& operand, size_t d) {
  return attrs.low[d] == 0 && attrs.high[d] == 0 && (attrs.interior[d] == 0 || operand.dims[d] <= 1);
}

void RulePad(op::RuleBuilder& b) {
  const auto& attrs = b.attrs<PadAttrs>();
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    FactorKind kind = Untouched(attrs, b.operands[0], d) ? FactorKind::Map : FactorKind::Piece;
    b.Factor(b.operands[0].dims[d], kind, {dim, op::kNoDim}, {dim});
  }
}

// Element i of the operand goes to low + i * (interior + 1), if that is in the result.
bool EvalPad(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<PadAttrs>();
  tensor::Literal operand = cx.operand(0).Materialize();
  tensor::Literal result = Filled(cx.result_type().dims, cx.operand(1));
  size_t rank = operand.dims().size();
  tensor::Dims first(rank), extents(rank), from_strides = tensor::Strides(operand.dims());
  tensor::Dims to_strides = tensor::Strides(result.dims());
  int64_t source = 0, target = 0;
  for (size_t d = 0; d < rank; ++d) {
    int64_t step = attrs.interior[d] + 1, low = attrs.low[d], size = result.dims()[d];
    first[d] = low >= 0 ? 0 : (-low + step - 1) / step;
    int64_t end = size - low <= 0 ? 0 : std::min(operand.dims()[d], (size - low + step - 1) / step);
    extents[d] = std::max<int64_t>(end - first[d], 0);
    source += first[d] * from_strides[d];
    target += (low + first[d] * step) * to_strides[d];
    to_strides[d] *= step;
  }
  if (tensor::NumElements(extents) > 0) {
    int64_t width = tensor::ByteWidth(operand.dtype());
    CopyElements(operand.raw().data() + source * width, from_strides, result.mutable_raw() + target * width, to_strides,
                 extents, width);
  }
  cx.results.push_back(std::move(result));
  return true;
}

bool ExplicitPad(op::ExplicitContext& cx) { return KeepOperandSharding(cx, "padding"); }

}  // namespace

const op::OpDef kSlice = {
    .kind = ir::OpKind::Slice,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<SliceAttrs>,
    .linear = op::Linear::Unary,
    .classic = {.same_dims = true},
    .keeps_constants = true,
    .flops = 0,
    .infer = InferSlice,
    .rule = RuleSlice,
    .explicit_types = ExplicitSlice,
    .localize = LocalizeSlice,
    .eval = EvalSlice,
    .hlo_opcode = "slice",
    .print_hlo = PrintHloSlice,
    .read_hlo = ReadHloSlice,
    .parse_stablehlo = ParseSlice,
    .from_generic = GenericSlice,
    .print_stablehlo = PrintMlirSlice,
    .native_name = "lax.slice",
};

const op::OpDef kPad = {
    .kind = ir::OpKind::Pad,
    .min_operands = 2,
    .max_operands = 2,
    .make_attrs = ir::NewAttrs<PadAttrs>,
    .linear = op::Linear::Adding,
    .classic = {.same_dims = true},
    .flops = 0,
    .infer = InferPad,
    .rule = RulePad,
    .explicit_types = ExplicitPad,
    .eval = EvalPad,
    .hlo_opcode = "pad",
    .print_hlo = PrintHloPad,
    .read_hlo = ReadHloPad,
    .parse_stablehlo = ParsePad,
    .from_generic = GenericPad,
    .print_stablehlo = PrintMlirPad,
    .native_name = "lax.pad",
    .print_native = PrintNativePad,
};

}  // namespace spmdc::ops
