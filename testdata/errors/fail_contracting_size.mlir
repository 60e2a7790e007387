// The contracted dims have different sizes.
module {
  func.func public @main(%arg0: tensor<8x6xf32>, %arg1: tensor<7x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_contracting_size.mlir:4:10: error: dot_general: contracting dim 1 of f32[8,6] has size 6 and dim 0 of f32[7,8] has size 7, expected equal sizes [contracting-size]
//!     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
//!          ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
