// gather: typing, rule and definition. Lowering is in gather_localize.cc, evaluation in gather_eval.cc.
#include "ops/gather.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/addressing.h"
#include "ops/dims.h"
#include "ops/gather_eval.h"
#include "ops/gather_localize.h"
#include "ops/gather_text.h"
#include "ops/implicit_batch.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

constexpr llvm::StringRef kGatherFields[] = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                             "start_indices_batching_dims", "start_index_map"};

bool InferGather(op::InferContext& cx) {
  Addressing a = AddressingOf(cx.attrs<GatherAttrs>());
  const ir::Type& operand = cx.operand(0);
  const ir::Type& indices = cx.operand(1);
  std::string problem = CheckAddressing(a, operand, indices, kGatherFields);
  if (!problem.empty()) {
    return cx.Fail(tensor::IsInteger(indices.dtype) ? diag::Kind::ShapeRule : diag::Kind::DtypeRule, problem);
  }
  tensor::Dims operand_dims = OperandWindowDims(a, operand.rank());
  tensor::Dims batch_dims = IndexBatchDims(a, indices.rank());
  tensor::Dims dims(a.window_dims.size() + batch_dims.size());
  for (size_t i = 0; i < a.window_dims.size(); ++i) {
    dims[static_cast<size_t>(a.window_dims[i])] = a.window_sizes[static_cast<size_t>(operand_dims[i])];
  }
  tensor::Dims numbering = WindowBatchDims(a, dims.size());
  for (size_t i = 0; i < numbering.size(); ++i) {
    dims[static_cast<size_t>(numbering[i])] = indices.dims[static_cast<size_t>(batch_dims[i])];
  }
  cx.Result(operand.dtype, dims);
  return true;
}

// A window dim: taken whole it passes through; of size 1 it is addressed, and each device serves its own block; a part of
// the dim may cross blocks, so that the dim is needed whole.
void WindowFactor(op::RuleBuilder& b, const Addressing& a, int64_t d, int64_t r, bool addressed) {
  int64_t size = b.operands[0].dims[static_cast<size_t>(d)];
  int64_t window = a.window_sizes[static_cast<size_t>(d)];
  if (window == size) {
    b.Factor(size, FactorKind::Map, {d, kNoDim}, {r});
    return;
  }
  bool index = window == 1 && addressed;
  b.Factor(size, index ? FactorKind::Index : FactorKind::Whole, {d, kNoDim}, {kNoDim}, /*blocked=*/!index);
  b.Factor(window, FactorKind::Whole, {kNoDim, kNoDim}, {r}, /*blocked=*/!index);
}

void RuleGather(op::RuleBuilder& b) {
  Addressing a = AddressingOf(b.attrs<GatherAttrs>());
  size_t rank = b.operands[0].rank(), indices_rank = b.operands[1].rank();
  tensor::Dims operand_dims = OperandWindowDims(a, rank);
  tensor::Dims batch_dims = IndexBatchDims(a, indices_rank);
  tensor::Dims component = ComponentOf(a, rank);
  size_t window = 0, batch = 0;
  for (int64_t r = 0; r < static_cast<int64_t>(b.results[0].rank()); ++r) {
    if (llvm::is_contained(a.window_dims, r)) {
      int64_t d = operand_dims[window++];
      WindowFactor(b, a, d, r, component[static_cast<size_t>(d)] >= 0);
      continue;
    }
    int64_t e = batch_dims[batch++];
    const auto* it = llvm::find(a.indices_batching, e);
    int64_t d = it == a.indices_batching.end() ? kNoDim : a.operand_batching[it - a.indices_batching.begin()];
    b.Factor(b.results[0].dims[static_cast<size_t>(r)], FactorKind::Map, {d, e}, {r});
  }
  for (int64_t d : a.collapsed) {
    int64_t size = b.operands[0].dims[static_cast<size_t>(d)];
    bool index = size > 1 && component[static_cast<size_t>(d)] >= 0;
    b.Factor(size, index ? FactorKind::Index : FactorKind::Whole, {d, kNoDim}, {kNoDim});
  }
  if (a.has_index_vector(indices_rank)) {
    int64_t e = a.index_vector_dim;
    b.Factor(b.operands[1].dims[static_cast<size_t>(e)], FactorKind::Whole, {kNoDim, e}, {kNoDim});
  }
  if (b.results[0].dtype == tensor::DType::Pred) {
    b.Combine(0, mesh::Monoid::Or);
  }
}

bool Ambiguous(op::ExplicitContext& cx) {
  return cx.Fail(diag::Kind::GatherAmbiguous,
                 "the sharding of the result could not be resolved unambiguously (or would require collectives on "
                 "inputs): operand " +
                     cx.infer.Show(cx.infer.operands[0]) + ", indices " + cx.infer.Show(cx.infer.operands[1]),
                 "use .at[...].get(out_sharding=) to say the sharding of the result");
}

// The result's dims: those of the slices as the operand's, the others as the indices'.
void PlaceDims(const Addressing& a, const mesh::Sharding& operand, const mesh::Sharding& indices,
               mesh::Sharding& result) {
  tensor::Dims operand_dims = OperandWindowDims(a, operand.dims.size());
  tensor::Dims batch_dims = IndexBatchDims(a, indices.dims.size());
  tensor::Dims numbering = WindowBatchDims(a, result.dims.size());
  for (size_t i = 0; i < operand_dims.size(); ++i) {
    result.dims[static_cast<size_t>(a.window_dims[i])].axes = operand.dims[static_cast<size_t>(operand_dims[i])].axes;
  }
  for (size_t i = 0; i < batch_dims.size(); ++i) {
    result.dims[static_cast<size_t>(numbering[i])].axes = indices.dims[static_cast<size_t>(batch_dims[i])].axes;
  }
}

// JAX's rule (_gather_spec_computation): addressed dims unsharded, batching dims agree, other index dims unsharded.
bool ResolveGather(op::ExplicitContext& cx, mesh::Sharding& result) {
  Addressing a = AddressingOf(cx.infer.attrs<GatherAttrs>());
  mesh::Sharding operand = cx.operand(0), indices = cx.operand(1);
  const ir::Type& type = cx.infer.operands[0];
  bool clear = llvm::all_of(a.index_map, [&](int64_t d) {
    auto dim = static_cast<size_t>(d);
    return a.window_sizes[dim] == type.dims[dim] || operand.dims[dim].axes.empty();
  });
  for (size_t i = 0; i < a.operand_batching.size(); ++i) {
    const mesh::AxisList& of_operand = operand.dims[static_cast<size_t>(a.operand_batching[i])].axes;
    mesh::AxisList& of_indices = indices.dims[static_cast<size_t>(a.indices_batching[i])].axes;
    clear &= of_operand.empty() || of_indices.empty() || of_operand == of_indices;
    of_indices = of_indices.empty() ? of_operand : of_indices;
  }
  for (size_t e = 0; e < indices.dims.size(); ++e) {
    clear &= indices.dims[e].axes.empty() || llvm::is_contained(a.indices_batching, static_cast<int64_t>(e));
  }
  if (!clear) {
    return Ambiguous(cx);
  }
  PlaceDims(a, operand, indices, result);
  return UsesAxesOnce(result) ||
         cx.Fail(diag::Kind::DuplicateAxis,
                 "the result would be sharded as " + mesh::ToSpec(cx.mesh(), result) + ", which uses an axis twice",
                 "reshard the operand or the indices first");
}

bool ExplicitGather(op::ExplicitContext& cx) {
  for (size_t i = 0; i < 2; ++i) {
    mesh::Sharding operand = cx.operand(i);
    if (!operand.unreduced.empty() || (i == 1 && !operand.reduced.empty())) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     "operand " + std::to_string(i) + " is unreduced or reduced: " + mesh::ToSpec(cx.mesh(), operand),
                     "reshard it to a spec without unreduced or reduced axes first");
    }
  }
  mesh::Sharding result = cx.replicated_result(0);
  result.reduced = cx.operand(0).reduced;
  if (cx.infer.out_sharding.valid()) {
    result = cx.infer.tables().shardings[cx.infer.out_sharding];
  } else if (!ResolveGather(cx, result)) {
    return false;
  }
  result.varying = JoinVarying(cx);
  cx.results.push_back(std::move(result));
  return true;
}

std::optional<op::Merged> MergeCounts(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  GatherAttrs attrs = module.attrs<GatherAttrs>(inst);
  ir::ValueId x = f.operands(inst)[0];
  auto found = FindImplicitBatch(module, f, x, f.operands(inst)[1], AddressingOf(attrs));
  if (!found) {
    return std::nullopt;
  }
  attrs.collapsed_slice_dims = found->addressing.collapsed;
  attrs.operand_batching_dims = found->addressing.operand_batching;
  attrs.start_indices_batching_dims = found->addressing.indices_batching;
  attrs.start_index_map = found->addressing.index_map;
  return WithComponents(module, f, inst, 1, *found, module.tables->attrs.Add(std::move(attrs)));
}

bool WordsOfGather(op::WordsContext& cx) {
  return cx.Change<GatherAttrs>([&](GatherAttrs& attrs) {
    size_t batch = cx.operands[1].rank() - 1;
    attrs.offset_dims.push_back(static_cast<int64_t>(batch + attrs.offset_dims.size()));
    attrs.slice_sizes.push_back(cx.words);
  });
}

}  // namespace

const op::OpDef kGather = {
    .kind = ir::OpKind::Gather,
    .min_operands = 2,
    .max_operands = 2,
    .make_attrs = ir::NewAttrs<GatherAttrs>,
    .classic = {.take = op::Classic::Take::LastFirst, .may_reshard = false},
    .takes_out_sharding = true,
    .flops = 0,
    .infer = InferGather,
    .rule = RuleGather,
    .explicit_types = ExplicitGather,
    .localize = LocalizeGather,
    .eval = EvalGather,
    .merge = MergeCounts,
    .on_words = WordsOfGather,
    .hlo_opcode = "gather",
    .print_hlo = PrintHloGather,
    .read_hlo = ReadHloGather,
    .from_generic = GenericGather,
    .print_stablehlo = PrintMlirGather,
    .native_name = "lax.gather",
    .print_native = PrintNativeGather,
};

}  // namespace spmdc::ops
