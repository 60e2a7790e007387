// A value that nobody defines.
module {
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.add %a, %b : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_undefined_value.mlir:4:28: error: %b is not defined [undefined-value]
//!     %0 = stablehlo.add %a, %b : tensor<8xf32>
//!                            ^~
// EXIT: 3
