// A mesh in a string that contradicts itself is pointed at in the string.
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{a = #sdy.mesh<[\22x\22=4]>, b = #sdy.mesh<[\"x\"=0]>}"}} {
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/stablehlo/fail_sdy_carried_meshes.mlir:2:116: error: mesh b: an axis size must be at least 1, got 0 [sharding-text]
//! module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{a = #sdy.mesh<[\22x\22=4]>, b = #sdy.mesh<[\"x\"=0]>}"}} {
//!                                                                                                                    ^
// EXIT: 3
