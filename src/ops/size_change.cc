// jax/_src/lax/slicing.py states the rule (get_sharding_for_varying_out_shape); LANGUAGE section 12 has its 0.10.2 form:
// results of all ones get no exception there.
#include "ops/size_change.h"

#include "op/reshard_fix.h"
#include "ops/dims.h"

namespace spmdc::ops {

bool KeepOperandSharding(op::ExplicitContext& cx, llvm::StringRef what) {
  mesh::Sharding operand = cx.operand(0);
  const ir::Type& from = cx.infer.operands[0];
  const ir::Type& to = cx.infer.results[0];
  for (size_t d = 0; d < to.rank(); ++d) {
    int64_t count = mesh::ShardCount(operand.dims[d]);
    if (to.dims[d] != from.dims[d] && to.dims[d] % count != 0) {
      return cx.Fail(diag::Kind::SizeChangeIndivisible,
                     what.str() + " on sharded dims where out dim (" + std::to_string(to.dims[d]) +
                         ") is not divisible by mesh axes (" + std::to_string(count) + ") with spec (" +
                         mesh::ToString(cx.mesh(), operand.dims[d].axes) + "): input type " + cx.infer.Show(from) +
                         ", output shape " + ShowList(to.dims),
                     op::UnshardFix(cx, 0, d));
    }
  }
  operand.varying = JoinVarying(cx);
  cx.results.push_back(std::move(operand));
  return true;
}

}  // namespace spmdc::ops
