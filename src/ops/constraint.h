// Making a sharding constraint, for passes that name no op.
#pragma once

#include "ops/sharding.h"

namespace spmdc::ops {

// To be appended with its operand and a result value of the same type.
inline ir::Inst ConstraintInst(ir::Tables& tables, mesh::ShardingId sharding) {
  ir::Inst inst;
  inst.op = ir::OpKind::ShardingConstraint;
  inst.attrs = tables.attrs.Add(ShardingConstraintAttrs{sharding});
  return inst;
}

}  // namespace spmdc::ops
