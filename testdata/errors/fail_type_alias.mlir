// Types that stand for themselves, for nothing, and for what no value is; a name that goes on behind its number.
!loop = !loop
func.func public @main(%0: !loop, %1: !none, %2: tensor<8xindex>) -> tensor<8xf32> {
  return %1 : tensor<8xf32>
}
func.func public @indices(%0: tensor<8xindex>) -> tensor<8xf32> {
  return %0 : tensor<8xf32>
}
func.func public @none(%0: !none) -> tensor<8xf32> {
  return %0 : tensor<8xf32>
}
func.func public @name(%0: tensor<8xf32>) -> tensor<8xf32> {
  %1r = stablehlo.tanh %0 : tensor<8xf32>
  return %1r : tensor<8xf32>
}
// RUN: compile %s
//! testdata/errors/fail_type_alias.mlir:3:1: error: the text is nested deeper than 200 levels [too-deep]
//! func.func public @main(%0: !loop, %1: !none, %2: tensor<8xindex>) -> tensor<8xf32> {
//! ^
//! testdata/errors/fail_type_alias.mlir:6:40: error: values of element type `index` are not StableHLO [unsupported-feature]
//! func.func public @indices(%0: tensor<8xindex>) -> tensor<8xf32> {
//!                                        ^~~~~
//! help: numbers of elements are integers, as in tensor<2xi64>
//! testdata/errors/fail_type_alias.mlir:9:29: error: type alias `!none` is not defined [name]
//! func.func public @none(%0: !none) -> tensor<8xf32> {
//!                             ^~~~
//! testdata/errors/fail_type_alias.mlir:13:5: error: expected `=`, found `r` [syntax]
//!   %1r = stablehlo.tanh %0 : tensor<8xf32>
//!     ^
//! testdata/errors/fail_type_alias.mlir:14:10: error: %1 is not defined [undefined-value]
//!   return %1r : tensor<8xf32>
//!          ^~
// EXIT: 3
