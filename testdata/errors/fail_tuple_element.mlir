// An element that the tuple does not have, and one of another type.
module {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @both(%a) : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<i32>>
    %1 = stablehlo.get_tuple_element %0[2] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
    %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
    %3 = stablehlo.dot %0, %a : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_tuple_element.mlir:5:39: error: %0 has 2 results, not one numbered 2 [undefined-value]
//!     %1 = stablehlo.get_tuple_element %0[2] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
//!                                       ^
//! testdata/errors/fail_tuple_element.mlir:6:10: error: get_tuple_element: element 1 of %0 is s32[] [shape]
//!     %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
//!          ^~~~~~~~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_tuple_element.mlir:7:10: error: dot: has two operands, neither of them a scalar, and one result [operand-count]
//!     %3 = stablehlo.dot %0, %a : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
//!          ^~~~~~~~~~~~~
// EXIT: 3
