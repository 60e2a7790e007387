// A sharding names an axis that the mesh does not have.
module {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"modle"}]>}) -> tensor<8x4xf32> {
    return %arg0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_unknown_axis.mlir:4:98: error: axis 'modle' is not in the mesh data=4 x model=2 [unknown-axis]
//!   func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"modle"}]>}) -> tensor<8x4xf32> {
//!                                                                                                  ^
// EXIT: 4
