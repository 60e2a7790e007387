// Attributes of reductions. Operands: n arrays, then their n seeds; one body (a1..an, b1..bn) -> n scalars.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

struct ReduceAttrs {
  tensor::Dims dims;  // reduced, increasing
  void Visit(ir::FieldVisitor& v) { v.Field("dimensions", dims); }
};

}  // namespace spmdc::ops
