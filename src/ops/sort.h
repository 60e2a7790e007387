// Attributes of ops that order elements.
#pragma once

#include "ir/attrs.h"
#include "op/op_def.h"

namespace spmdc::ops {

// Operands: arrays of one shape, sorted together; one body (a1, b1, a2, b2, ...) -> whether the a's come before the b's.
struct SortAttrs {
  int64_t dim = 0;
  bool is_stable = true;
  void Visit(ir::FieldVisitor& v) {
    v.Field("dimension", dim);
    v.Field("is_stable", is_stable);
  }
};

// The k greatest elements along the last dim, greatest first, and their s32 places; of equal ones the first counts more.
struct TopKAttrs {
  int64_t k = 1;
  void Visit(ir::FieldVisitor& v) { v.Field("k", k); }
};

bool EvalSort(op::EvalContext& cx);

}  // namespace spmdc::ops
