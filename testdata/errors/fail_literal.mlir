// Three numbers for four elements.
module {
  func.func public @main() -> tensor<4xf32> {
    %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_literal.mlir:4:35: error: expected 4 elements along dim 0, found 3 [literal]
//!     %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf32>
//!                                   ^
// EXIT: 3
