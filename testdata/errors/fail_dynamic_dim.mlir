// A dim whose size is not known.
module {
  func.func public @main(%a: tensor<?xf32>) -> tensor<?xf32> {
    return %a : tensor<?xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_dynamic_dim.mlir:3:37: error: type `tensor<?xf32>` has a dim of unknown size [unsupported-feature]
//!   func.func public @main(%a: tensor<?xf32>) -> tensor<?xf32> {
//!                                     ^~~~~
//! help: lower the program with static shapes, or say how large it is at most: #stablehlo.bounds<8, ?>
// EXIT: 5
