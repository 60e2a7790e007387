// Attributes of ops with regions.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

// Operands: the carried values, then the captured ones. Bodies: condition, step; both take all operands as arguments; the
// step returns the carried ones.
struct WhileAttrs {
  int64_t num_carried = 0;
  void Visit(ir::FieldVisitor& v) { v.Field("num_carried", num_carried); }
};

// Operands: the arguments of the body, then captured values, which have no in_sharding. The shardings place operands and
// results over the manual and the free axes of the mesh; inside, types are local over the manual axes.
struct ManualComputationAttrs {
  mesh::MeshId mesh;
  mesh::AxisList manual_axes;  // as a set
  llvm::SmallVector<mesh::ShardingId, 4> in_shardings, out_shardings;
  void Visit(ir::FieldVisitor& v) {
    v.Field("mesh", mesh);
    v.Field("manual_axes", manual_axes);
    v.Field("in_shardings", in_shardings);
    v.Field("out_shardings", out_shardings);
  }
};

}  // namespace spmdc::ops
