// top_k: the greatest elements of each row and where they are. Along a sharded row every device chooses among its own, and
// then all choose among the chosen.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "op/reshard_fix.h"
#include "ops/collective.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/gather.h"
#include "ops/sort.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using op::FactorKind;
using tensor::DType;
using tensor::Literal;

bool InferTopK(op::InferContext& cx) {
  const ir::Type& x = cx.operand(0);
  int64_t k = cx.attrs<TopKAttrs>().k;
  if (x.rank() == 0 || k < 0 || k > x.dims.back()) {
    return cx.Fail(diag::Kind::ShapeRule, "k = " + std::to_string(k) + " elements of the last dim of " + cx.Show(x));
  }
  if (tensor::IsComplex(x.dtype)) {
    return cx.Fail(diag::Kind::DtypeRule, "the elements of " + cx.Show(x) + " have no order");
  }
  tensor::Dims dims = x.dims;
  dims.back() = k;
  cx.Result(x.dtype, dims);
  cx.Result(DType::S32, dims);
  return true;
}

// Shardy's rule for topk has one blocked factor on the last dims. The operand's may be sharded here: see the lowering.
void RuleTopK(op::RuleBuilder& b) {
  auto last = static_cast<int64_t>(b.operands[0].rank()) - 1;
  for (int64_t d = 0; d < last; ++d) {
    b.Factor(b.operands[0].dims[static_cast<size_t>(d)], FactorKind::Map, {d}, {d, d});
  }
  b.SelfCombining(b.Factor(b.operands[0].dims.back(), FactorKind::Whole, {last}, {op::kNoDim, op::kNoDim}, true));
  b.Factor(b.results[0].dims.back(), FactorKind::Whole, {op::kNoDim}, {last, last}, true);
}

// jax/_src/lax/lax.py: the last dim should be replicated; results are sharded as the operand.
bool ExplicitTopK(op::ExplicitContext& cx) {
  if (!NoUnreducedNorReduced(cx)) {
    return false;
  }
  mesh::Sharding x = cx.operand(0);
  if (!x.dims.back().axes.empty()) {
    return cx.Fail(diag::Kind::DimMustBeUnsharded,
                   "the last dim of " + cx.infer.Show(cx.infer.operands[0]) + " is sharded",
                   op::UnshardFix(cx, 0, cx.infer.operands[0].rank() - 1));
  }
  cx.results.push_back(x);
  cx.results.push_back(x);
  return true;
}

// --- Lowering --------------------------------------------------------------------------------------------------------

std::optional<op::Exchanged> ExchangeTopK(const op::ShardedInst& s) {
  size_t last = s.operand(0).rank() - 1;
  int64_t count = mesh::Product(s.DimAxes(s.rule.operands[0], last));
  if (count == 1 || s.attrs<TopKAttrs>().k == 0) {
    return op::Exchanged();
  }
  tensor::Dims dims = s.LocalOperandDims(0);
  dims[last] = std::min(dims[last], s.attrs<TopKAttrs>().k) * (count - 1);
  int64_t width = tensor::ByteWidth(s.operand(0).dtype) + tensor::ByteWidth(DType::S32);
  return op::Exchanged{tensor::NumElements(dims) * width, 2};
}

// What comes behind everything else: NaN with the sign set, or the least number.
Literal Least(DType dtype) {
  if (!tensor::IsFloat(dtype)) {
    return op::Identity(mesh::Monoid::Max, dtype);
  }
  return Literal::Number(dtype, {}, -std::numeric_limits<double>::quiet_NaN());
}

// For each row, row[places]: a gather with every dim but the last a batch dim.
ir::ValueId EmitTake(op::Builder& b, ir::ValueId rows, ir::ValueId places) {
  tensor::Dims dims = b.type(places).dims;
  auto last = static_cast<int64_t>(dims.size()) - 1;
  GatherAttrs attrs;
  attrs.operand_batching_dims.resize(static_cast<size_t>(last));
  std::iota(attrs.operand_batching_dims.begin(), attrs.operand_batching_dims.end(), 0);
  attrs.start_indices_batching_dims = attrs.operand_batching_dims;
  attrs.collapsed_slice_dims = {last};
  attrs.start_index_map = {last};
  attrs.index_vector_dim = last + 1;
  attrs.slice_sizes.assign(dims.size(), 1);
  dims.push_back(1);
  return b.Add1(OpKind::Gather, {rows, EmitReshape(b, places, dims)}, b.Attrs(std::move(attrs)));
}

bool LocalizeTopK(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ir::ValueId x = cx.operands()[0];
  size_t last = b.type(x).rank() - 1;
  int64_t k = cx.attrs<TopKAttrs>().k, block = b.type(x).dims[last];
  mesh::MeshId mesh = cx.operand_sharding(0).mesh;
  mesh::AxisList axes = cx.operand_sharding(0).dims[last].axes;
  auto choose = [&](ir::ValueId from, int64_t count) {
    return *b.Add(OpKind::TopK, {from}, b.Attrs(TopKAttrs{count}));
  };
  if (mesh::Product(axes) == 1 || k == 0) {
    cx.Results(choose(x, k));
    return true;
  }
  x = cx.Mask(x, last, cx.global_operand(0).dims[last], mesh, axes, Least(b.type(x).dtype));
  auto own = choose(x, std::min(k, block));
  ir::ValueId first = EmitMultiplyConstant(b, cx.ShardIndex(mesh, axes, DType::S32), block);
  ir::ValueId places = b.Add1(OpKind::Add, {own[1], EmitBroadcast(b, first, b.type(own[1]).dims)});
  auto gather = [&](ir::ValueId v) {
    CollectiveAttrs attrs;
    attrs.groups.mesh = mesh;
    attrs.groups.axes = axes;
    attrs.dim = static_cast<int64_t>(last);
    attrs.channel = cx.NextChannel();
    return b.Add1(OpKind::AllGather, {v}, b.Attrs(std::move(attrs)));
  };
  ir::ValueId values = gather(own[0]);
  places = gather(places);
  auto chosen = choose(values, k);
  cx.Results({chosen[0], EmitTake(b, places, chosen[1])});
  return true;
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

// Total order of floats: -NaN, -inf, ..., -0, 0, ..., inf, NaN.
bool Greater(double a, double b) {
  auto rank = [](double v) { return !std::isnan(v) ? 0 : std::signbit(v) ? -1 : 1; };
  if (rank(a) != rank(b)) {
    return rank(a) > rank(b);
  }
  return rank(a) == 0 && (a > b || (a == b && !std::signbit(a) && std::signbit(b)));
}

bool EvalTopK(op::EvalContext& cx) {
  Literal x = cx.operand(0).Materialize();
  int64_t k = cx.attrs<TopKAttrs>().k, length = x.dims().back();
  Literal values(x.dtype(), cx.result_type(0).dims), places(DType::S32, cx.result_type(1).dims);
  bool floats = tensor::IsFloat(x.dtype()), is_unsigned = tensor::Class(x.dtype()) == tensor::DClass::Unsigned;
  std::vector<int64_t> order(static_cast<size_t>(length));
  for (int64_t row = 0, rows = length == 0 ? 0 : x.size() / length; row < rows; ++row) {
    std::iota(order.begin(), order.end(), row * length);
    auto greater = [&](int64_t a, int64_t b) {
      if (floats) {
        return Greater(x.GetReal(a), x.GetReal(b));
      }
      int64_t p = x.GetInt(a), q = x.GetInt(b);
      return is_unsigned ? static_cast<uint64_t>(p) > static_cast<uint64_t>(q) : p > q;
    };
    auto first = [&](int64_t a, int64_t b) { return greater(a, b) || (!greater(b, a) && a < b); };
    std::partial_sort(order.begin(), order.begin() + k, order.end(), first);
    for (int64_t i = 0; i < k; ++i) {
      int64_t from = order[static_cast<size_t>(i)];
      floats ? values.SetReal(row * k + i, x.GetReal(from)) : values.SetInt(row * k + i, x.GetInt(from));
      places.SetInt(row * k + i, from - row * length);
    }
  }
  cx.results.push_back(std::move(values));
  cx.results.push_back(std::move(places));
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

// `(%x, k = 5) : tensor<8xf32> -> (tensor<5xf32>, tensor<5xi32>)`.
bool ParseTopK(op::StablehloReader& r) {
  if (!r.Expect("(") || !r.Operand() || !r.Expect(",") || !r.Expect("k") || !r.Expect("=")) {
    return false;
  }
  auto k = r.Int();
  if (!k || !r.Expect(")")) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(TopKAttrs{*k}));
  return r.ColonTypes();
}

void PrintMlirTopK(op::StablehloPrinter& p) { p.Property("k", std::to_string(p.attrs<TopKAttrs>().k) + " : i64"); }

bool GenericTopK(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(TopKAttrs{r.attr("k").integer}));
  return true;
}

void PrintHloTopK(op::HloPrinter& p) {
  p.Attr("k", std::to_string(p.attrs<TopKAttrs>().k));
  p.Attr("largest", "true");
}

bool ReadHloTopK(op::HloReader& r, ir::AttrsId& id) {
  auto k = r.Int("k");
  if (!k || !r.Bool("largest").value_or(true)) {
    return r.Fail("k", "expected the number of the largest elements");
  }
  id = r.module().tables->attrs.Add(TopKAttrs{*k});
  return true;
}

}  // namespace

const op::OpDef kTopK = {
    .kind = OpKind::TopK,
    .dialect = "chlo",
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<TopKAttrs>,
    .classic = {.take = op::Classic::Take::Nothing},
    .infer = InferTopK,
    .rule = RuleTopK,
    .explicit_types = ExplicitTopK,
    .localize = LocalizeTopK,
    .exchange = ExchangeTopK,
    .eval = EvalTopK,
    .hlo_opcode = "topk",
    .print_hlo = PrintHloTopK,
    .read_hlo = ReadHloTopK,
    .parse_stablehlo = ParseTopK,
    .from_generic = GenericTopK,
    .print_stablehlo = PrintMlirTopK,
    .native_name = "lax.top_k",
};

}  // namespace spmdc::ops
