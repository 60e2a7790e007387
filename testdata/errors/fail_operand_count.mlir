// An op with an operand too few.
module {
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.add"(%a) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_operand_count.mlir:4:10: error: add: got 1 operands, expected 2 [operand-count]
//!     %0 = "stablehlo.add"(%a) : (tensor<8xf32>) -> tensor<8xf32>
//!          ^~~~~~~~~~~~~~~
// EXIT: 4
