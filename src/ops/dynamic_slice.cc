// dynamic_slice and dynamic_update_slice: a window whose start is known at run time.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "op/reshard_fix.h"
#include "ops/array_copy.h"
#include "ops/dims.h"
#include "ops/dynamic_slice_localize.h"
#include "ops/gather.h"
#include "ops/gather_text.h"
#include "ops/ranges_of.h"
#include "ops/size_change.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

// The starts behind the first `skip` operands: one integer scalar per dim, all of one type.
bool CheckStarts(op::InferContext& cx, size_t skip) {
  size_t rank = cx.operand(0).rank();
  if (cx.operands.size() != skip + rank) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size() - skip) +
                                                 " start indices for an array of " + std::to_string(rank) + " dims");
  }
  for (size_t i = skip; i < cx.operands.size(); ++i) {
    const ir::Type& start = cx.operand(i);
    if (start.rank() != 0 || !tensor::IsInteger(start.dtype)) {
      return cx.Fail(diag::Kind::DtypeRule, "start index " + std::to_string(i - skip) + " is " + cx.Show(start) +
                                                ", expected an integer scalar");
    }
    if (start.dtype != cx.operand(skip).dtype) {
      return cx.Fail(diag::Kind::DtypeRule, "start indices of types " + cx.Show(cx.operand(skip)) + " and " +
                                                cx.Show(start) + ", expected one type");
    }
  }
  return true;
}

bool InferDynamicSlice(op::InferContext& cx) {
  const auto& attrs = cx.attrs<DynamicSliceAttrs>();
  const ir::Type& operand = cx.operand(0);
  if (!CheckPerDim(cx, "slice_sizes", attrs.sizes, operand.rank()) || !CheckStarts(cx, 1)) {
    return false;
  }
  for (size_t d = 0; d < operand.rank(); ++d) {
    if (attrs.sizes[d] < 0 || attrs.sizes[d] > operand.dims[d]) {
      return cx.Fail(diag::Kind::ShapeRule, "slice_sizes " + ShowList(attrs.sizes) + " do not fit " + cx.Show(operand));
    }
  }
  cx.Result(WithDims(operand, attrs.sizes));
  return true;
}

// A sliced dim is addressed at run time: each device serves what its block holds of the slice, so that the operand has a
// factor of its own there, and the result another that is needed whole.
void RuleDynamicSlice(op::RuleBuilder& b) {
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    int64_t size = b.operands[0].dims[d];
    if (size == b.results[0].dims[d]) {
      b.Factor(size, FactorKind::Map, {dim}, {dim});
      continue;
    }
    b.Factor(size, FactorKind::Index, {dim}, {kNoDim}, /*blocked=*/true);
    b.Factor(b.results[0].dims[d], FactorKind::Whole, {kNoDim}, {dim}, /*blocked=*/true);
  }
  if (b.results[0].dtype == tensor::DType::Pred) {
    b.Combine(0, mesh::Monoid::Or);
  }
}

// The starts, clamped so that the window fits.
tensor::Dims Starts(const op::EvalContext& cx, size_t skip, llvm::ArrayRef<int64_t> sizes) {
  tensor::Dims starts;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const tensor::Literal& start = cx.operand(skip + d);
    int64_t value = start.GetInt(0), room = cx.operand(0).dims()[d] - sizes[d];
    bool huge = value < 0 && tensor::Class(start.dtype()) == tensor::DClass::Unsigned;  // beyond the signed 64-bit ones
    starts.push_back(huge ? room : std::clamp<int64_t>(value, 0, room));
  }
  return starts;
}

bool EvalDynamicSlice(op::EvalContext& cx) {
  tensor::Dims sizes(cx.result_type().dims);
  tensor::Literal operand = cx.operand(0).Materialize();
  tensor::Literal result = tensor::Literal::Unwritten(operand.dtype(), sizes);
  CopyBox(operand, Starts(cx, 1, sizes), result, tensor::Dims(sizes.size(), 0), sizes);
  cx.results.push_back(std::move(result));
  return true;
}

bool EvalDynamicUpdateSlice(op::EvalContext& cx) {
  tensor::Literal update = cx.operand(1).Materialize();
  tensor::Literal result = cx.operand(0).Materialize();
  CopyBox(update, tensor::Dims(update.dims().size(), 0), result, Starts(cx, 2, update.dims()), update.dims());
  cx.results.push_back(std::move(result));
  return true;
}

bool RefuseUnreduced(op::ExplicitContext& cx, size_t operand) {
  return cx.operand(operand).unreduced.empty() ||
         cx.Fail(
             diag::Kind::UnreducedUse,
             "operand " + std::to_string(operand) + " is unreduced: " + mesh::ToSpec(cx.mesh(), cx.operand(operand)),
             "reshard it to a spec without unreduced axes first");
}

bool ExplicitDynamicSlice(op::ExplicitContext& cx) {
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    if (!RefuseUnreduced(cx, i)) {
      return false;
    }
  }
  return KeepOperandSharding(cx, "dynamic_slice");
}

bool InferDynamicUpdateSlice(op::InferContext& cx) {
  const ir::Type& operand = cx.operand(0);
  const ir::Type& update = cx.operand(1);
  if (operand.dtype != update.dtype) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "operand " + cx.Show(operand) + " and update " + cx.Show(update) + " have different element types");
  }
  bool fits = operand.rank() == update.rank();
  for (size_t d = 0; fits && d < operand.rank(); ++d) {
    fits = update.dims[d] <= operand.dims[d];
  }
  if (!fits) {
    return cx.Fail(diag::Kind::ShapeRule, "update " + cx.Show(update) + " does not fit into " + cx.Show(operand));
  }
  if (!CheckStarts(cx, 2)) {
    return false;
  }
  cx.Result(WithDims(operand, operand.dims));
  return true;
}

// A device writes what falls into its block: the updated dim may stay sharded, the update is needed whole there.
void RuleDynamicUpdateSlice(op::RuleBuilder& b) {
  for (size_t d = 0; d < b.results[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    int64_t size = b.operands[0].dims[d];
    if (size == b.operands[1].dims[d]) {
      b.Factor(size, FactorKind::Map, {dim, dim}, {dim});
      continue;
    }
    b.Factor(size, FactorKind::Index, {dim, kNoDim}, {dim});
    b.Factor(b.operands[1].dims[d], FactorKind::Whole, {kNoDim, dim}, {kNoDim});
  }
}

bool ExplicitDynamicUpdateSlice(op::ExplicitContext& cx) {
  mesh::Sharding operand = cx.operand(0), update = cx.operand(1);
  std::string got =
      "got operand " + cx.infer.Show(cx.infer.operands[0]) + " and update " + cx.infer.Show(cx.infer.operands[1]);
  if (operand.dims != update.dims) {
    return cx.Fail(diag::Kind::OperandShardingsDiffer, "operand sharding must be equal to update sharding, " + got,
                   op::EitherFix(cx, 1, 0));
  }
  if (operand.unreduced != update.unreduced || operand.reduced != update.reduced) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "operand and update must be unreduced and reduced along the same axes, " + got,
                   "reshard the update to the operand's spec");
  }
  operand.varying = JoinVarying(cx);
  cx.results.push_back(std::move(operand));
  return true;
}

bool WordsOfDynamicSlice(op::WordsContext& cx) {
  cx.start = true;
  return cx.Change<DynamicSliceAttrs>([&](DynamicSliceAttrs& attrs) { attrs.sizes.push_back(cx.words); });
}

bool WordsOfUpdate(op::WordsContext& cx) {
  cx.start = true;
  return true;
}

}  // namespace

const op::OpDef kDynamicSlice = {
    .kind = ir::OpKind::DynamicSlice,
    .min_operands = 1,
    .max_operands = -1,
    .make_attrs = ir::NewAttrs<DynamicSliceAttrs>,
    .precedence = op::Precedence::DynamicSlice,
    .classic = {.same_dims = true},
    .flops = 0,
    .infer = InferDynamicSlice,
    .rule = RuleDynamicSlice,
    .explicit_types = ExplicitDynamicSlice,
    .localize = LocalizeDynamicSlice,
    .eval = EvalDynamicSlice,
    .merge = MergeRanges,
    .on_words = WordsOfDynamicSlice,
    .hlo_opcode = "dynamic-slice",
    .print_hlo = PrintHloDynamicSlice,
    .read_hlo = ReadHloDynamicSlice,
    .parse_stablehlo = ParseDynamicSlice,
    .from_generic = GenericDynamicSlice,
    .print_stablehlo = PrintMlirDynamicSlice,
    .native_name = "lax.dynamic_slice",
    .print_native = PrintNativeDynamicSlice,
};

const op::OpDef kDynamicUpdateSlice = {
    .kind = ir::OpKind::DynamicUpdateSlice,
    .min_operands = 2,
    .max_operands = -1,
    .precedence = op::Precedence::DynamicSlice,
    .classic = {.take = op::Classic::Take::LastFirst, .same_dims = true},
    .flops = 0,
    .infer = InferDynamicUpdateSlice,
    .rule = RuleDynamicUpdateSlice,
    .explicit_types = ExplicitDynamicUpdateSlice,
    .localize = LocalizeDynamicUpdateSlice,
    .eval = EvalDynamicUpdateSlice,
    .merge = MergeRanges,
    .on_words = WordsOfUpdate,
    .hlo_opcode = "dynamic-update-slice",
    .native_name = "lax.dynamic_update_slice",
    .print_native = PrintNativeDynamicUpdateSlice,
};

}  // namespace spmdc::ops
