// One name for two values.
module {
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.tanh %a : tensor<8xf32>
    %0 = stablehlo.tanh %0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_redefinition.mlir:5:6: error: %0 is defined twice [redefinition]
//!     %0 = stablehlo.tanh %0 : tensor<8xf32>
//!      ^
// EXIT: 3
