// An op that is not StableHLO's is named, at its line.
module {
  func.func public @main(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
    %1 = stablehlo.frobnicate %0 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_unknown_op.mlir:5:10: error: unknown op `stablehlo.frobnicate` [unknown-op]
//!     %1 = stablehlo.frobnicate %0 : tensor<8x4xf32>
//!          ^~~~~~~~~~~~~~~~~~~~
//! help: did you mean `stablehlo.broadcast`?
// EXIT: 5
