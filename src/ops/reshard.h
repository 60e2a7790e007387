// Lowering of reshard, and the all-to-all that HLO can spell.
#pragma once

#include "op/localize.h"
#include "ops/collective.h"

namespace spmdc::ops {

bool LocalizeReshard(op::LocalizeContext& cx);

// An all-to-all that cuts attrs.dim and joins along attrs.concat_dim among groups of the given size. What is emitted cuts
// and joins the same dim, as HLO's array form does, with a transpose behind it where the two differ.
ir::ValueId EmitAllToAll(op::Builder& b, ir::ValueId x, CollectiveAttrs attrs, int64_t group);

}  // namespace spmdc::ops
