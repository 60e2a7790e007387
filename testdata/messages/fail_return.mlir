// What a function returns and its types.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 1.mlir
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %a, %a : tensor<8xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%a: tensor<8xf32>) -> (tensor<8xf32>) {
//|     return %a : tensor<8xf32>
//|   }
//| }
// RUN: compile 1.mlir --stop-after=parse
//! 1.mlir:2:10: error: returns 2 values and 1 types [operand-count]
//!   return %a, %a : tensor<8xf32>
//!          ^~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
