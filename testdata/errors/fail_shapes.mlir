// The operands say 8x4, the result says 8x5.
module {
  func.func public @main(%arg0: tensor<8x4xf32>) -> tensor<8x5xf32> {
    %0 = stablehlo.add %arg0, %arg0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x5xf32>
    return %0 : tensor<8x5xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_shapes.mlir:4:10: error: add: result 0 is declared f32[8,5], but the op makes f32[8,4] [result-type]
//!     %0 = stablehlo.add %arg0, %arg0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x5xf32>
//!          ^~~~~~~~~~~~~
// EXIT: 4
