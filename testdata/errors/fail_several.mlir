// Several errors in one run: in signatures, in functions, in ops; nothing about what uses a wrong op.
func.func @main(%a: tensor<8x16xf32>, %bb: tensor<8x) -> tensor<8x16xf32> {
  return %a : tensor<8x16xf32>
}
func.func @f(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %q : tensor<8x16xf32>
  %1 = stablehlo.frob %a : tensor<8x16xf32>
  %2 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
func.func @g(%a: tensor<8x16xf32) -> tensor<8x16xf32> {
  return %a : tensor<8x16xf32>
}
sdy.mesh @mesh = <["x"=0]>
func.func @h(%a: tensor<8x16xf33>) -> tensor<8x16xf32> {
  return %a : tensor<8x16xf32>
}
// RUN: compile %s
//! testdata/errors/fail_several.mlir:2:53: error: unknown element type `` [syntax]
//! func.func @main(%a: tensor<8x16xf32>, %bb: tensor<8x) -> tensor<8x16xf32> {
//!                                                     ^
//! testdata/errors/fail_several.mlir:6:26: error: %q is not defined [undefined-value]
//!   %0 = stablehlo.add %a, %q : tensor<8x16xf32>
//!                          ^~
//! testdata/errors/fail_several.mlir:7:8: error: unknown op `stablehlo.frob` [unknown-op]
//!   %1 = stablehlo.frob %a : tensor<8x16xf32>
//!        ^~~~~~~~~~~~~~
//! help: did you mean `stablehlo.dot`?
//! testdata/errors/fail_several.mlir:11:35: error: expected `,`, found `->` [syntax]
//! func.func @g(%a: tensor<8x16xf32) -> tensor<8x16xf32> {
//!                                   ^~
//! testdata/errors/fail_several.mlir:14:24: error: an axis size must be at least 1, got 0 [sharding-text]
//! sdy.mesh @mesh = <["x"=0]>
//!                        ^
//! testdata/errors/fail_several.mlir:15:30: error: unknown element type `f33` [syntax]
//! func.func @h(%a: tensor<8x16xf33>) -> tensor<8x16xf32> {
//!                              ^~~
// EXIT: 3
