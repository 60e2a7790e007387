// Attributes of ops that cut and join arrays.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

struct SliceAttrs {
  tensor::Dims starts, limits, strides;
  void Visit(ir::FieldVisitor& v) {
    v.Field("start_indices", starts);
    v.Field("limit_indices", limits);
    v.Field("strides", strides);
  }
};

// Operands: the array and the scalar that fills.
struct PadAttrs {
  tensor::Dims low, high, interior;  // low and high may be negative
  void Visit(ir::FieldVisitor& v) {
    v.Field("edge_padding_low", low);
    v.Field("edge_padding_high", high);
    v.Field("interior_padding", interior);
  }
};

struct ConcatenateAttrs {
  int64_t dim = 0;
  void Visit(ir::FieldVisitor& v) { v.Field("dimension", dim); }
};

// Elements [starts[i], limits[i]) of the dim, one range behind the other.
struct TakeRangesAttrs {
  int64_t dim = 0;
  tensor::Dims starts, limits;
  void Visit(ir::FieldVisitor& v) {
    v.Field("dimension", dim);
    v.Field("start_indices", starts);
    v.Field("limit_indices", limits);
  }
};

struct ReverseAttrs {
  tensor::Dims dims;
  void Visit(ir::FieldVisitor& v) { v.Field("dimensions", dims); }
};

}  // namespace spmdc::ops
