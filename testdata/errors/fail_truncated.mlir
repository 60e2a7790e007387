// The text ends within an op.
module {
  func.func public @main(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.tanh %arg0 :
// RUN: compile %s
//! testdata/errors/fail_truncated.mlir:5:1: error: the file ends where a type is expected [truncated]
//!
//! ^
// EXIT: 3
