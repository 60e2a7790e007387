// More elements than can be counted in 64 bits.
module {
  func.func public @main(%a: tensor<9223372036854775807x9223372036854775807xf32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    return %0 : tensor<f32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_too_large.mlir:3:37: error: type `tensor<9223372036854775807x9223372036854775807xf32>` has too many elements to count [too-large]
//!   func.func public @main(%a: tensor<9223372036854775807x9223372036854775807xf32>) -> tensor<f32> {
//!                                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 3
