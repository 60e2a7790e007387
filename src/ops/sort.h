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

// The k first elements along a dim by a comparator as sort's, and what goes with them. Operands: arrays of one shape, then
// for each of them a scalar that stands where there is no element. The names are those of the call's backend_config.
struct ApproxTopKAttrs {
  int64_t k = 1;
  int64_t dim = 0;
  // How much of the true answer should be found, at least: an f32 number in (0, 1].
  double recall_target = 1;
  // How long the row is of which this one is a part, for the recall of the whole; -1: it is the whole.
  int64_t reduction_input_size_override = -1;
  // False: the results hold more candidates than k, for the caller to choose among.
  bool aggregate_to_topk = true;
  // The caller wants it sorted and cut, for hardware without anything better.
  bool is_fallback = false;
  void Visit(ir::FieldVisitor& v) {
    v.Field("top_k", k);
    v.Field("reduction_dim", dim);
    v.Field("recall_target", recall_target);
    v.Field("reduction_input_size_override", reduction_input_size_override);
    v.Field("aggregate_to_topk", aggregate_to_topk);
    v.Field("is_fallback", is_fallback);
  }
};

// Whether an instruction's body compares elements of these arrays, and they have one shape. Tells the user otherwise.
bool CheckSortedTogether(op::InferContext& cx, llvm::ArrayRef<ir::Type> arrays);

// Arrays of one shape in the order of a comparator along a dim; equal elements keep their order.
llvm::SmallVector<tensor::Literal, 4> SortTogether(op::EvalContext& cx, ir::FuncId comparator,
                                                   llvm::ArrayRef<const tensor::Literal*> arrays, size_t dim);

bool EvalSort(op::EvalContext& cx);

}  // namespace spmdc::ops
