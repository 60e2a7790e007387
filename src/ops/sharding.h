// Attributes of ops about where values are.
#pragma once

#include "ir/module.h"

namespace spmdc::ops {

struct ShardingConstraintAttrs {
  mesh::ShardingId sharding;  // dims may be open
  void Visit(ir::FieldVisitor& v) { v.Field("sharding", sharding); }
};

// One step from the operand's sharding to the result's (both in the values' sharding columns).
enum class Move {
  Slice,          // dim += axes (minor): each device keeps a part of its block; no communication
  AllGather,      // dim -= axes (its minor digits)
  AllToAll,       // axes leave dim (minor digits) and become the minor digits of to_dim
  Permute,        // the same number of blocks per dim, held by other devices
  AllReduce,      // unreduced -= axes
  ReduceScatter,  // unreduced -= axes, dim += axes
  ToPartial,      // unreduced += axes: the value on coordinate 0, the identity elsewhere; no communication
};

// Whether an all-gather of `group` blocks of a dim of `size` elements would bring more padding than elements: it is then an
// all-reduce of what is there, each device's elements at their places among zeros.
inline bool IsMostlyPadding(int64_t size, int64_t block, int64_t group) { return 2 * size < group * block; }

struct ReshardAttrs {
  Move move = Move::Slice;
  int64_t dim = 0;
  int64_t to_dim = 0;
  mesh::AxisList axes;
  void Visit(ir::FieldVisitor& v) {
    v.EnumField("move", move,
                {"slice", "all_gather", "all_to_all", "permute", "all_reduce", "reduce_scatter", "to_partial"});
    v.Field("dim", dim);
    v.Field("to_dim", to_dim);
    v.Field("axes", axes);
  }
};

// A reshard step, to be appended with its operand and a result value that carries the sharding it leads to.
inline ir::Inst ReshardInst(ir::Tables& tables, ReshardAttrs attrs) {
  ir::Inst inst;
  inst.op = ir::OpKind::Reshard;
  inst.attrs = tables.attrs.Add(std::move(attrs));
  return inst;
}

}  // namespace spmdc::ops
