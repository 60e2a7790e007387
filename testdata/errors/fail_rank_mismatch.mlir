// The operands of add have different ranks: StableHLO does not broadcast by itself.
module {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.add %arg0, %arg1 : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_rank_mismatch.mlir:4:10: error: add: got f32[8,4] and f32[8], expected operands of one shape [broadcast-shape]
//!     %0 = stablehlo.add %arg0, %arg1 : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32>
//!          ^~~~~~~~~~~~~
//! help: broadcast one operand to the other's shape
// EXIT: 4
