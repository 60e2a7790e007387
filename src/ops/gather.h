// Attributes of ops that address arrays by indices known at run time. Meanings: the StableHLO specification.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

// Operands: array, start indices.
struct GatherAttrs {
  tensor::Dims offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map;
  int64_t index_vector_dim = 0;
  tensor::Dims slice_sizes;
  bool indices_are_sorted = false;
  void Visit(ir::FieldVisitor& v) {
    v.Field("offset_dims", offset_dims);
    v.Field("collapsed_slice_dims", collapsed_slice_dims);
    v.Field("operand_batching_dims", operand_batching_dims);
    v.Field("start_indices_batching_dims", start_indices_batching_dims);
    v.Field("start_index_map", start_index_map);
    v.Field("index_vector_dim", index_vector_dim);
    v.Field("slice_sizes", slice_sizes);
    v.Field("indices_are_sorted", indices_are_sorted);
  }
};

// Operands: n arrays, the scatter indices, n updates; one body (a1..an, b1..bn) -> n scalars.
struct ScatterAttrs {
  tensor::Dims update_window_dims, inserted_window_dims, input_batching_dims, scatter_indices_batching_dims,
      scatter_dims_to_operand_dims;
  int64_t index_vector_dim = 0;
  bool indices_are_sorted = false;
  bool unique_indices = false;
  void Visit(ir::FieldVisitor& v) {
    v.Field("update_window_dims", update_window_dims);
    v.Field("inserted_window_dims", inserted_window_dims);
    v.Field("input_batching_dims", input_batching_dims);
    v.Field("scatter_indices_batching_dims", scatter_indices_batching_dims);
    v.Field("scatter_dims_to_operand_dims", scatter_dims_to_operand_dims);
    v.Field("index_vector_dim", index_vector_dim);
    v.Field("indices_are_sorted", indices_are_sorted);
    v.Field("unique_indices", unique_indices);
  }
};

// Operands: array, one scalar start per dim. Starts are clamped so that the slice fits.
struct DynamicSliceAttrs {
  tensor::Dims sizes;
  void Visit(ir::FieldVisitor& v) { v.Field("slice_sizes", sizes); }
};

}  // namespace spmdc::ops
