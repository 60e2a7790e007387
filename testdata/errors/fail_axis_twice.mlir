// One axis cannot split two dims of an array.
module {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"data"}]>}) -> tensor<8x4xf32> {
    return %arg0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_axis_twice.mlir:4:98: error: axis 'data' is used twice [duplicate-axis]
//!   func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"data"}]>}) -> tensor<8x4xf32> {
//!                                                                                                  ^
// EXIT: 4
