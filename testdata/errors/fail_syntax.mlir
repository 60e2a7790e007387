// A comma is missing.
module {
  func.func public @main(%a: tensor<8xf32> %b: tensor<8xf32>) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_syntax.mlir:3:44: error: expected `,`, found `%b:` [syntax]
//!   func.func public @main(%a: tensor<8xf32> %b: tensor<8xf32>) -> tensor<8xf32> {
//!                                            ^~~
// EXIT: 3
