// Replicas beside shardings: the shardings speak of one replica's devices.
module @m attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_replicas.mlir:2:74: error: the module runs in 2 replicas, and its shardings place values on the partitions of one [unsupported-feature]
//! module @m attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
//!                                                                          ^~~~~~~
//! help: say mhlo.num_replicas = 1 where the partitions are all its devices
// EXIT: 5
