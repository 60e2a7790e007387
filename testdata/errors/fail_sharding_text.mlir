// A sharding of a mesh that is not there, and one that is cut off.
module {
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_sharding_text.mlir:3:74: error: there is no mesh '@mesh' [sharding-text]
//!   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
//!                                                                          ^
// EXIT: 3
