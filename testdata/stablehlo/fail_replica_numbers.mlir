// A channel without use_global_device_ids: the group is of replica 0 with both its partitions, not of device 0 alone.
module @numbers attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: explain %s
//! testdata/stablehlo/fail_replica_numbers.mlir:4:10: error: the replica groups count replicas, each with all of its 2 partitions: a channel without use_global_device_ids [unsupported-feature]
//!     %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
//!          ^~~~~~~~~~~~~~~~~~~~~~
//! help: list the devices, and say use_global_device_ids
// EXIT: 5
