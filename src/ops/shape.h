// Attributes of ops that only rearrange.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

struct BroadcastInDimAttrs {
  tensor::Dims dims;            // of the result
  tensor::Dims broadcast_dims;  // broadcast_dims[i]: the result dim that operand dim i becomes; increasing
  void Visit(ir::FieldVisitor& v) {
    v.Field("shape", dims);
    v.Field("broadcast_dimensions", broadcast_dims);
  }
};

struct ReshapeAttrs {
  tensor::Dims dims;  // of the result
  void Visit(ir::FieldVisitor& v) { v.Field("new_sizes", dims); }
};

struct TransposeAttrs {
  tensor::Dims permutation;  // result dim i is operand dim permutation[i]
  void Visit(ir::FieldVisitor& v) { v.Field("permutation", permutation); }
};

}  // namespace spmdc::ops
