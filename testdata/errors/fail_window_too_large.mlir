// Padding beyond what 64 bits count is told, not wrapped around.
module {
  func.func public @main(%a: tensor<8xf32>, %z: tensor<f32>) -> tensor<8xf32> {
    %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[0, 9223372036854775807]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %1 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_window_too_large.mlir:4:10: error: reduce_window: the window {size=2 pad=0_9223372036854775807} over 8 elements is too large to be counted [too-large]
//!     %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[0, 9223372036854775807]]> : tensor<1x2xi64>}> ({
//!          ^~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 3
