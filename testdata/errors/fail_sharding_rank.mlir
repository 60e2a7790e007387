// A sharding has more dims than the array.
module {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_sharding_rank.mlir:4:27: error: sharding <@mesh, [{"data"}, {"model"}]> of %arg0: the sharding has 2 dims, but the value has rank 1 [spec-rank]
//!   func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> tensor<8xf32> {
//!                           ^~~~
// EXIT: 4
