// A name whose closing quote is missing.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a {"k = 1 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// RUN: compile %s
//! testdata/errors/fail_open_quote.mlir:3:27: error: expected a name of an attribute, found `"k` [syntax]
//!   %0 = stablehlo.tanh %a {"k = 1 : i64} : tensor<4xf32>
//!                           ^~
// EXIT: 3
