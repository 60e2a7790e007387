// Sharding in types of reduce: reduced dims take their axes with them; sums may stay spread over devices.
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/dims.h"
#include "ops/reduce.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

// The operand's sharding without the reduced dims.
mesh::Sharding DropDims(const mesh::Sharding& x, const tensor::Dims& reduced) {
  mesh::Sharding result = x;
  result.dims.clear();
  for (size_t d = 0; d < x.dims.size(); ++d) {
    if (!llvm::is_contained(reduced, static_cast<int64_t>(d))) {
      result.dims.push_back(x.dims[d]);
    }
  }
  return result;
}

// Axes that a sum may be asked to stay unreduced over: those of the summed dims, and those it is unreduced over already.
bool CheckAskedUnreduced(op::ExplicitContext& cx, const mesh::Sharding& asked) {
  mesh::Sharding x = cx.operand(0);
  mesh::AxisList summed = x.unreduced;
  for (int64_t d : cx.infer.attrs<ReduceAttrs>().dims) {
    const mesh::AxisList& axes = x.dims[static_cast<size_t>(d)].axes;
    summed.append(axes.begin(), axes.end());
  }
  if (mesh::Covers(mesh::AsSet(summed), asked.unreduced)) {
    return true;
  }
  return cx.Fail(diag::Kind::UnreducedUse, "out_sharding is unreduced over '" +
                                               mesh::ToString(cx.mesh(), asked.unreduced) +
                                               "', expected axes of dims that are summed; got the operand " +
                                               cx.infer.Show(cx.infer.operands[0]) + " summed over dims " +
                                               ShowList(cx.infer.attrs<ReduceAttrs>().dims));
}

bool SumTypes(op::ExplicitContext& cx, const mesh::Sharding* asked) {
  mesh::Sharding x = cx.operand(0);
  if (asked == nullptr) {
    return GiveSharding(cx, DropDims(x, cx.infer.attrs<ReduceAttrs>().dims));
  }
  if (!asked->reduced.empty()) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "out_sharding cannot have reduced axes; got " + mesh::ToSpec(cx.mesh(), *asked));
  }
  if (!CheckAskedUnreduced(cx, *asked)) {
    return false;
  }
  mesh::Sharding result = *asked;
  if (result.unreduced.empty()) {
    result.unreduced = x.unreduced;
  }
  result.reduced = x.reduced;
  return GiveSharding(cx, std::move(result));
}

}  // namespace

bool ReduceTypes(op::ExplicitContext& cx) {
  const mesh::Sharding* asked = OutSharding(cx);
  size_t n = cx.infer.operands.size() / 2;
  bool sum = n == 1 && op::RecognizeMonoid(cx.infer.module, cx.infer.bodies[0], 0) == mesh::Monoid::Sum;
  if (sum) {
    return SumTypes(cx, asked);
  }
  if (!NoUnreducedNorReduced(cx)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    bool use = i == 0 && asked != nullptr;
    GiveSharding(cx, use ? *asked : DropDims(cx.operand(i), cx.infer.attrs<ReduceAttrs>().dims));
  }
  return true;
}

}  // namespace spmdc::ops
