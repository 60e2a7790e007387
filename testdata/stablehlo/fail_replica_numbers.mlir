// A channel without use_global_device_ids: groups are of replicas, each with both its partitions, and there is one.
module @numbers attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// --- replica.mlir
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
// --- partition.mlir
module @numbers attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main() -> tensor<ui32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
}
// RUN: explain %s
//! testdata/stablehlo/fail_replica_numbers.mlir:4:10: error: a group names replica 1, but there is 1 replica [replica-groups]
//!     %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
//!          ^~~~~~~~~~~~~~~~~~~~~~
//! help: with a channel and use_global_device_ids the numbers are those of devices
// EXIT: 4
// RUN: compile replica.mlir --stop-after=parse --emit=stablehlo
//| module @numbers attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
//|   func.func public @main(%a: tensor<4xf32>) -> (tensor<4xf32>) {
//|     %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
//|     ^bb0(%x: tensor<f32>, %y: tensor<f32>):
//|       %s = stablehlo.add %x, %y : tensor<f32>
//|       stablehlo.return %s : tensor<f32>
//|     }) : (tensor<4xf32>) -> tensor<4xf32>
//|     return %0 : tensor<4xf32>
//|   }
//| }
// RUN: compile partition.mlir
//! partition.mlir:3:10: error: the number of a partition in a module of 2 replicas [unsupported-feature]
//!     %0 = stablehlo.partition_id : tensor<ui32>
//!          ^~~~~~~~~~~~~~~~~~~~~~
//! help: say mhlo.num_replicas = 1 where the partitions are all its devices
// EXIT: 5
