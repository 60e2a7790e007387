// concatenate and reverse.
#include "llvm/ADT/STLExtras.h"
#include "op/reshard_fix.h"
#include "ops/array_copy.h"
#include "ops/dims.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/exchange.h"
#include "ops/ranges_of.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "ops/slice_text.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;

bool InferConcatenate(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ConcatenateAttrs>();
  const ir::Type& first = cx.operand(0);
  if (!CheckDimList(cx, "dimension", {attrs.dim}, first.rank())) {
    return false;
  }
  auto dim = static_cast<size_t>(attrs.dim);
  tensor::Dims dims = first.dims;
  for (size_t i = 1; i < cx.operands.size(); ++i) {
    const ir::Type& other = cx.operand(i);
    if (other.dtype != first.dtype) {
      return cx.Fail(diag::Kind::DtypeRule, "operands of element types " + tensor::HloName(first.dtype).str() +
                                                " and " + tensor::HloName(other.dtype).str() +
                                                ", expected one element type");
    }
    bool fits = other.rank() == first.rank();
    for (size_t d = 0; fits && d < first.rank(); ++d) {
      fits = d == dim || other.dims[d] == first.dims[d];
    }
    if (!fits) {
      return cx.Fail(diag::Kind::ShapeRule, "operands " + cx.Show(first) + " and " + cx.Show(other) +
                                                " differ outside of dim " + std::to_string(dim));
    }
    dims[dim] += other.dims[dim];
  }
  cx.Result(WithDims(first, dims));
  return true;
}

void RuleConcatenate(op::RuleBuilder& b) {
  const auto& attrs = b.attrs<ConcatenateAttrs>();
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    llvm::SmallVector<int64_t, 4> operand_dims(b.operands.size(), dim);
    bool moved = dim == attrs.dim && b.operands.size() > 1;
    b.Factor(b.results[0].dims[d], moved ? FactorKind::Piece : FactorKind::Map, operand_dims, {dim});
  }
}

// What devices need of operand i, which stands from element `offset` of the result on.
DimExchange JoinExchange(const op::ShardedInst& s, size_t i, int64_t offset) {
  auto d = static_cast<size_t>(s.attrs<ConcatenateAttrs>().dim);
  mesh::AxisList axes = s.DimAxes(s.rule.results[0], d);
  int64_t count = mesh::Product(axes), block = s.LocalResultDims(0)[d];
  return {static_cast<int64_t>(d), axes, BlocksOf(s.operand(i).dims[d], count), EvenNeed(count, -offset, block, block)};
}

bool IsJoinedWhole(const op::ShardedInst& s) {
  auto d = static_cast<size_t>(s.attrs<ConcatenateAttrs>().dim);
  return s.inst.num_operands == 1 || s.result(0).dims[d] == 0 || s.DimAxes(s.rule.results[0], d).empty();
}

std::optional<op::Exchanged> ExchangeConcatenate(const op::ShardedInst& s) {
  op::Exchanged total;
  int64_t offset = 0;
  for (size_t i = 0; i < s.inst.num_operands && !IsJoinedWhole(s); ++i) {
    op::Exchanged own = PriceExchanges(s.LocalOperandDims(i), s.operand(i).dtype, JoinExchange(s, i, offset));
    total.bytes += own.bytes;
    total.collectives += own.collectives;
    offset += s.operand(i).dims[static_cast<size_t>(s.attrs<ConcatenateAttrs>().dim)];
  }
  return total;
}

// Each operand is laid out as the result's block would see it; by its number, an element is of the first operand that has
// not ended before it.
bool LocalizeConcatenate(op::LocalizeContext& cx) {
  op::ShardedInst s = cx.sharded();
  op::Builder& b = cx.builder();
  int64_t dim = cx.attrs<ConcatenateAttrs>().dim;
  if (IsJoinedWhole(s)) {
    cx.Results({b.Add1(ir::OpKind::Concatenate, cx.operands(), b.Attrs(ConcatenateAttrs{dim}))});
    return true;
  }
  ir::ValueId joined;
  mesh::MeshId mesh = cx.result_sharding(0).mesh;
  int64_t offset = 0;
  for (size_t i = 0; i < cx.operands().size(); ++i) {
    int64_t size = s.operand(i).dims[static_cast<size_t>(dim)];
    if (size == 0) {
      continue;
    }
    DimExchange exchange = JoinExchange(s, i, offset);
    ir::ValueId part = EmitExchange(cx, cx.operands()[i], mesh, exchange);
    llvm::SmallVector<int64_t, 8> begins;
    for (int64_t start : exchange.need.starts) {
      begins.push_back(-start);
    }
    joined = joined.valid() ? EmitJoin(cx, mesh, exchange, joined, part, begins) : part;
    offset += size;
  }
  cx.Results({joined});
  return true;
}

// All operands must be sharded alike; the concatenated dim may be sharded.
// jax/_src/lax/lax.py, _concatenate_sharding_rule: all alike, also in what they are unreduced and reduced over.
bool ExplicitConcatenate(op::ExplicitContext& cx) {
  auto placement = [](mesh::Sharding s) {
    s.varying.clear();
    return s;
  };
  mesh::Sharding result = placement(cx.operand(0));
  size_t other = 0;  // one that differs
  std::string got;
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    other = other == 0 && placement(cx.operand(i)) != result ? i : other;
    got += (i == 0 ? "" : ", ") + mesh::ToSpec(cx.mesh(), cx.operand(i));
  }
  if (other != 0) {
    return cx.Fail(diag::Kind::OperandShardingsDiffer, "all operands should have the same sharding, got " + got,
                   op::EitherFix(cx, 0, other));
  }
  result.varying = JoinVarying(cx);
  cx.results.push_back(std::move(result));
  return true;
}

bool EvalConcatenate(op::EvalContext& cx) {
  auto dim = static_cast<size_t>(cx.attrs<ConcatenateAttrs>().dim);
  tensor::Literal result = tensor::Literal::Unwritten(cx.operand(0).dtype(), cx.result_type().dims);
  tensor::Dims start(result.dims().size(), 0), zero = start;
  for (const tensor::Literal* operand : cx.operands) {
    CopyBox(operand->Materialize(), zero, result, start, operand->dims());
    start[dim] += operand->dims()[dim];
  }
  cx.results.push_back(std::move(result));
  return true;
}

bool InferReverse(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ReverseAttrs>();
  if (!CheckDimList(cx, "dimensions", attrs.dims, cx.operand(0).rank())) {
    return false;
  }
  cx.Result(WithDims(cx.operand(0), cx.operand(0).dims));
  return true;
}

void RuleReverse(op::RuleBuilder& b) {
  const auto& attrs = b.attrs<ReverseAttrs>();
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    bool moved = llvm::is_contained(attrs.dims, dim);
    b.Factor(b.results[0].dims[d], moved ? FactorKind::Piece : FactorKind::Map, {dim}, {dim});
  }
}

// A device's block of the result is, backwards, the operand up to as many elements from the end as the block begins behind
// the start.
llvm::SmallVector<DimExchange, 2> ReverseExchanges(const op::ShardedInst& s) {
  llvm::SmallVector<DimExchange, 2> exchanges;
  for (int64_t d : s.attrs<ReverseAttrs>().dims) {
    mesh::AxisList axes = s.DimAxes(s.rule.operands[0], static_cast<size_t>(d));
    if (!axes.empty()) {
      Blocked blocks = BlocksOf(s.operand(0).dims[static_cast<size_t>(d)], mesh::Product(axes));
      exchanges.push_back(
          {d, axes, blocks, EvenNeed(blocks.count, blocks.size - blocks.block, -blocks.block, blocks.block)});
    }
  }
  return exchanges;
}

std::optional<op::Exchanged> ExchangeReverse(const op::ShardedInst& s) {
  return PriceExchanges(s.LocalOperandDims(0), s.operand(0).dtype, ReverseExchanges(s));
}

bool LocalizeReverse(op::LocalizeContext& cx) {
  ir::ValueId x = cx.operands()[0];
  for (const DimExchange& exchange : ReverseExchanges(cx.sharded())) {
    x = EmitExchange(cx, x, cx.operand_sharding(0).mesh, exchange);
  }
  op::Builder& b = cx.builder();
  cx.Results({b.Add1(ir::OpKind::Reverse, {x}, b.Attrs(cx.attrs<ReverseAttrs>()))});
  return true;
}

bool EvalReverse(op::EvalContext& cx) {
  tensor::Literal operand = cx.operand(0).Materialize();
  tensor::Literal result = tensor::Literal::Unwritten(operand.dtype(), operand.dims());
  size_t rank = operand.dims().size();
  tensor::Dims start(rank, 0), step(rank, 1);
  for (int64_t d : cx.attrs<ReverseAttrs>().dims) {
    start[static_cast<size_t>(d)] = operand.dims()[static_cast<size_t>(d)] - 1;
    step[static_cast<size_t>(d)] = -1;
  }
  CopyBox(operand, start, step, result, tensor::Dims(rank, 0), operand.dims());
  cx.results.push_back(std::move(result));
  return true;
}

// JAX lets a reversed dim stay sharded.
bool ExplicitReverse(op::ExplicitContext& cx) {
  mesh::Sharding operand = cx.operand(0);
  if (!operand.unreduced.empty() || !operand.reduced.empty()) {
    return cx.Fail(
        diag::Kind::UnreducedUse,
        "the operand is unreduced or reduced, which reverse does not take: " + mesh::ToSpec(cx.mesh(), operand),
        "reshard the operand first");
  }
  cx.results.push_back(std::move(operand));
  return true;
}

}  // namespace

const op::OpDef kConcatenate = {
    .kind = ir::OpKind::Concatenate,
    .min_operands = 1,
    .max_operands = -1,
    .make_attrs = ir::NewAttrs<ConcatenateAttrs>,
    .linear = op::Linear::Adding,
    .classic = {.take = op::Classic::Take::MostSpecific, .same_dims = true},
    .flops = 0,
    .infer = InferConcatenate,
    .rule = RuleConcatenate,
    .explicit_types = ExplicitConcatenate,
    .localize = LocalizeConcatenate,
    .exchange = ExchangeConcatenate,
    .eval = EvalConcatenate,
    .merge = MergeRanges,
    .on_words = op::KeepWords,
    .hlo_opcode = "concatenate",
    .print_hlo = PrintHloConcatenate,
    .read_hlo = ReadHloConcatenate,
    .parse_stablehlo = ParseConcatenate,
    .from_generic = GenericConcatenate,
    .print_stablehlo = PrintMlirConcatenate,
    .native_name = "lax.concatenate",
    .print_native = PrintNativeConcatenate,
};

const op::OpDef kReverse = {
    .kind = ir::OpKind::Reverse,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<ReverseAttrs>,
    .linear = op::Linear::Unary,
    .flops = 0,
    .infer = InferReverse,
    .rule = RuleReverse,
    .explicit_types = ExplicitReverse,
    .localize = LocalizeReverse,
    .exchange = ExchangeReverse,
    .eval = EvalReverse,
    .on_words = op::KeepWords,
    .hlo_opcode = "reverse",
    .print_hlo = PrintHloReverse,
    .read_hlo = ReadHloReverse,
    .parse_stablehlo = ParseReverse,
    .from_generic = GenericReverse,
    .print_stablehlo = PrintMlirReverse,
    .native_name = "lax.rev",
};

}  // namespace spmdc::ops
