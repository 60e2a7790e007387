// The module says 4 partitions, its mesh has 8 devices.
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8x4xf32> {
    return %arg0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_device_count.mlir:2:49: error: mhlo.num_partitions is 4, but the mesh data=4 x model=2 has 8 devices [device-count]
//! module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//!                                                 ^~~~~~~
// EXIT: 4
