// The text ends within a function: its brace is never closed.
module {
  func.func public @main(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
// RUN: compile %s
//! testdata/errors/fail_truncated_body.mlir:5:1: error: the file ends where `}` is expected [truncated]
//!
//! ^
// EXIT: 3
