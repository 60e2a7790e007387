// How gather and scatter address an array: what each dim of the operand, the indices and the windows (a gather's result, a
// scatter's updates) is. Both ops have the same geometry, so that typing, rule, lowering and evaluation share it.
#pragma once

#include <string>

#include "ir/type.h"
#include "ops/gather.h"

namespace spmdc::ops {

struct Addressing {
  // Dims of the windows that move within the operand, and those that number the windows, both increasing.
  tensor::Dims window_dims;  // offset_dims, update_window_dims
  tensor::Dims collapsed;    // operand dims of window size 1 that the windows do not have
  tensor::Dims operand_batching, indices_batching;
  tensor::Dims index_map;  // index_map[k]: the operand dim that component k of an index addresses
  int64_t index_vector_dim = 0;
  tensor::Dims window_sizes;  // per operand dim

  bool has_index_vector(size_t indices_rank) const { return index_vector_dim < static_cast<int64_t>(indices_rank); }
};

Addressing AddressingOf(const GatherAttrs& attrs);
// `operand` and `updates` give the window sizes.
Addressing AddressingOf(const ScatterAttrs& attrs, const ir::Type& operand, const ir::Type& updates);

// The operand dims that the windows have, in order: operand_window_dims[i] is window_dims[i].
tensor::Dims OperandWindowDims(const Addressing& a, size_t operand_rank);
// The dims of the indices without the vector dim, in order.
tensor::Dims IndexBatchDims(const Addressing& a, size_t indices_rank);
// The dims of the windows that number them, in order: the i-th is the i-th of IndexBatchDims.
tensor::Dims WindowBatchDims(const Addressing& a, size_t window_rank);
// For each operand dim, which component of an index addresses it; -1: none.
tensor::Dims ComponentOf(const Addressing& a, size_t operand_rank);

// What is wrong with the geometry; empty if nothing. `names` are the attribute names of the op for {window_dims, collapsed,
// operand_batching, indices_batching, index_map}.
std::string CheckAddressing(const Addressing& a, const ir::Type& operand, const ir::Type& indices,
                            llvm::ArrayRef<llvm::StringRef> names);

}  // namespace spmdc::ops
