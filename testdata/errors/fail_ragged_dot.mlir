// Sizes for each batch apart are not supported.
func.func @main(%a: tensor<2x8x4xf32>, %b: tensor<3x2x4x5xf32>, %n: tensor<2x3xi32>) -> tensor<2x8x5xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x8x4xf32>, tensor<3x2x4x5xf32>, tensor<2x3xi32>) -> tensor<2x8x5xf32>
  return %0 : tensor<2x8x5xf32>
}
// RUN: compile %s
//! testdata/errors/fail_ragged_dot.mlir:3:8: error: ragged_dot: the groups' sizes are s32[2,3]; one list for all batches is supported [unsupported-feature]
//!   %0 = "chlo.ragged_dot"(%a, %b, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contrac...
//!        ^~~~~~~~~~~~~~~~~
// EXIT: 5
