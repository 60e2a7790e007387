// slice and pad: pieces of arrays with bounds that the program fixes.
#include "ops/slice.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "ops/array_copy.h"
#include "ops/dims.h"
#include "ops/exchange.h"
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

bool IsCut(const op::ShardedInst& s, size_t d) { return s.operand(0).dims[d] != s.result(0).dims[d]; }

// What devices need of the dims that are cut and sharded. A block of u elements of the result, from element g on, is made
// of the operand's elements start + stride * g, and so on.
llvm::SmallVector<DimExchange, 2> SliceExchanges(const op::ShardedInst& s) {
  const auto& attrs = s.attrs<SliceAttrs>();
  llvm::SmallVector<DimExchange, 2> exchanges;
  tensor::Dims blocks = s.LocalResultDims(0);
  for (size_t d = 0; d < blocks.size(); ++d) {
    mesh::AxisList axes = s.DimAxes(s.rule.operands[0], d);
    if (!IsCut(s, d) || axes.empty()) {
      continue;
    }
    int64_t count = mesh::Product(axes), stride = attrs.strides[d], u = blocks[d];
    Need need = EvenNeed(count, attrs.starts[d], u * stride, u == 0 ? 0 : (u - 1) * stride + 1);
    need.end = attrs.limits[d];
    exchanges.push_back({static_cast<int64_t>(d), axes, BlocksOf(s.operand(0).dims[d], count), std::move(need)});
  }
  return exchanges;
}

std::optional<op::Exchanged> ExchangeSlice(const op::ShardedInst& s) {
  return PriceExchanges(s.LocalOperandDims(0), s.operand(0).dtype, SliceExchanges(s));
}

// Dims taken whole stay so; of sharded ones the device has what it needs after an exchange.
bool LocalizeSlice(op::LocalizeContext& cx) {
  op::ShardedInst s = cx.sharded();
  SliceAttrs attrs = cx.attrs<SliceAttrs>();
  for (size_t d = 0; d < attrs.limits.size(); ++d) {
    if (!IsCut(s, d)) {
      attrs.limits[d] = cx.local_operand(0).dims[d];
    }
  }
  ir::ValueId x = cx.operands()[0];
  for (const DimExchange& exchange : SliceExchanges(s)) {
    x = EmitExchange(cx, x, cx.operand_sharding(0).mesh, exchange);
    auto d = static_cast<size_t>(exchange.dim);
    attrs.starts[d] = 0;
    attrs.limits[d] = exchange.need.length;
  }
  op::Builder& b = cx.builder();
  bool all = llvm::all_of(attrs.strides, [](int64_t stride) { return stride == 1; }) &&
             llvm::all_of(attrs.starts, [](int64_t start) { return start == 0; }) && attrs.limits == b.type(x).dims;
  cx.Results({all && x != cx.operands()[0] ? x : b.Add1(ir::OpKind::Slice, {x}, b.Attrs(std::move(attrs)))});
  return true;
}

bool EvalSlice(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<SliceAttrs>();
  tensor::Literal operand = cx.operand(0).Materialize();
  tensor::Literal result = tensor::Literal::Unwritten(operand.dtype(), cx.result_type().dims);
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

// What devices need of the padded dims that are sharded. Element q of the operand is element low + q * step of the result;
// a block of the result that begins at element g needs the operand from the first q at or behind g on.
llvm::SmallVector<DimExchange, 2> PadExchanges(const op::ShardedInst& s) {
  const auto& attrs = s.attrs<PadAttrs>();
  llvm::SmallVector<DimExchange, 2> exchanges;
  tensor::Dims blocks = s.LocalResultDims(0);
  for (size_t d = 0; d < blocks.size(); ++d) {
    mesh::AxisList axes = s.DimAxes(s.rule.operands[0], d);
    if (Untouched(attrs, s.operand(0), d) || axes.empty()) {
      continue;
    }
    int64_t count = mesh::Product(axes);
    exchanges.push_back({static_cast<int64_t>(d), axes, BlocksOf(s.operand(0).dims[d], count),
                         DilatedNeed(count, -attrs.low[d], blocks[d], blocks[d], attrs.interior[d] + 1)});
  }
  return exchanges;
}

std::optional<op::Exchanged> ExchangePad(const op::ShardedInst& s) {
  return PriceExchanges(s.LocalOperandDims(0), s.operand(0).dtype, PadExchanges(s));
}

// The exchanged dims hold what is there, and the padding value where nothing is; the others are padded as the op says.
bool LocalizePad(op::LocalizeContext& cx) {
  op::ShardedInst s = cx.sharded();
  op::Builder& b = cx.builder();
  PadAttrs attrs = cx.attrs<PadAttrs>();
  ir::ValueId x = cx.operands()[0], fill = cx.operands()[1];
  for (const DimExchange& exchange : PadExchanges(s)) {
    auto d = static_cast<size_t>(exchange.dim);
    x = EmitDilated(cx, x, cx.operand_sharding(0).mesh, exchange, fill, -attrs.low[d], cx.local_result(0).dims[d],
                    cx.local_result(0).dims[d], attrs.interior[d] + 1);
    attrs.low[d] = attrs.high[d] = attrs.interior[d] = 0;
  }
  bool more =
      llvm::any_of(llvm::seq<size_t>(0, attrs.low.size()), [&](size_t d) { return !Untouched(attrs, b.type(x), d); });
  cx.Results({more || x == cx.operands()[0] ? b.Add1(ir::OpKind::Pad, {x, fill}, b.Attrs(std::move(attrs))) : x});
  return true;
}

bool EvalPad(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<PadAttrs>();
  cx.results.push_back(PadLiteral(cx.operand(0), cx.operand(1), attrs.low, attrs.high, attrs.interior));
  return true;
}

bool ExplicitPad(op::ExplicitContext& cx) { return KeepOperandSharding(cx, "padding"); }

bool WordsOfSlice(op::WordsContext& cx) {
  return cx.Change<SliceAttrs>([&](SliceAttrs& attrs) {
    attrs.starts.push_back(0);
    attrs.limits.push_back(cx.words);
    attrs.strides.push_back(1);
  });
}

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
    .exchange = ExchangeSlice,
    .eval = EvalSlice,
    .on_words = WordsOfSlice,
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
    .localize = LocalizePad,
    .exchange = ExchangePad,
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
