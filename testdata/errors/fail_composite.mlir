// A composite says by which function it is computed.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.composite "mine.op" %a {version = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// RUN: compile %s
//! testdata/errors/fail_composite.mlir:3:8: error: composite: expected the attribute decomposition, a function [attribute]
//!   %0 = stablehlo.composite "mine.op" %a {version = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~~~~~~~
// EXIT: 3
