// Attributes of reductions. Operands: n arrays, then their n seeds; one body (a1..an, b1..bn) -> n scalars.
#pragma once

#include "ir/attrs.h"
#include "ir/module.h"

namespace spmdc::ops {

struct ReduceAttrs {
  tensor::Dims dims;  // reduced, increasing
  void Visit(ir::FieldVisitor& v) { v.Field("dimensions", dims); }
};

// Whether a scalar is a constant that holds the monoid's identity.
bool IsIdentity(const ir::Module& module, const ir::Function& f, ir::ValueId v, mesh::Monoid monoid);

}  // namespace spmdc::ops
