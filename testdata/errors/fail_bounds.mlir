// A bound stands for a dim of unknown size, one for each dim.
module {
  func.func private @a(%a: tensor<?x4xf32, #stablehlo.bounds<8>>) -> tensor<?x4xf32, #stablehlo.bounds<?, ?>> {
    return %a : tensor<?x4xf32, #stablehlo.bounds<8>>
  }
  func.func public @main(%a: tensor<?x4xf32, #stablehlo.bounds<8, 4>>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_bounds.mlir:3:77: error: type `tensor<?x4xf32, #stablehlo.bounds<?, ?>>` has a dim of unknown size [unsupported-feature]
//!   func.func private @a(%a: tensor<?x4xf32, #stablehlo.bounds<8>>) -> tensor<?x4xf32, #stablehlo.bounds<?, ?>> {
//!                                                                             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//! help: lower the program with static shapes, or say how large it is at most: #stablehlo.bounds<8, ?>
//! testdata/errors/fail_bounds.mlir:6:37: error: type `tensor<?x4xf32, #stablehlo.bounds<8, 4>>`: expected the largest size of each `?` [syntax]
//!   func.func public @main(%a: tensor<?x4xf32, #stablehlo.bounds<8, 4>>) -> tensor<4xf32> {
//!                                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 5
