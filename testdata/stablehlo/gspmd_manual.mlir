// A region that is manual over the whole mesh, as JAX writes it without Shardy: custom calls around a call.
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<16x8xf32>) -> (tensor<16x4xf32> {jax.result_info = "result[0]"}, tensor<16xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[8]}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x8xf32>) -> tensor<4x4xf32>
    %4:2 = call @shmap_body(%1, %3) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>)
    %5 = stablehlo.custom_call @Sharding(%4#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<16x4xf32>
    %7 = stablehlo.custom_call @Sharding(%4#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4xi32>) -> tensor<4xi32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[8] last_tile_dim_replicate}"} : (tensor<4xi32>) -> tensor<16xi32>
    return %6, %8 : tensor<16x4xf32>, tensor<16xi32>
  }
  func.func private @shmap_body(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<4x4xf32> {jax.result_info = "[('x',), None]"}, tensor<4xi32> {jax.result_info = "[('x',)]"}) {
    %0 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %9 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4x4xf32>
    %c = stablehlo.constant dense<2> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.divide %2, %c : tensor<ui32>
    %4 = stablehlo.remainder %3, %c_0 : tensor<ui32>
    %5 = stablehlo.convert %4 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.add %7, %6 : tensor<4xi32>
    return %1, %8 : tensor<4x4xf32>, tensor<4xi32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["axis_0"=4, "axis_1"=2]>
//|   func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<16x8xf32>) -> (tensor<16x4xf32> {jax.result_info = "result[0]"}, tensor<16xi32> {jax.result_info = "result[1]"}) {
//|     %0 = sdy.sharding_constraint %arg0 <@mesh, [{"axis_0"}, {}]> : tensor<16x4xf32>
//|     %2 = sdy.sharding_constraint %arg1 <@mesh, [{"axis_0"}, {"axis_1"}]> : tensor<16x8xf32>
//|     %6, %8 = "sdy.manual_computation"(%0, %2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"axis_0"}, {}]>, <@mesh, [{"axis_0"}, {"axis_1"}]>]>, manual_axes = #sdy<manual_axes{"axis_0", "axis_1"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"axis_0"}, {}]>, <@mesh, [{"axis_0"}]>]>}> ({
//|     ^bb0(%arg0_1: tensor<4x4xf32>, %arg1_1: tensor<4x4xf32>):
//|       %v0_1 = "stablehlo.all_reduce"(%arg1_1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
//|       ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//|         %9 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
//|         stablehlo.return %9 : tensor<f32>
//|       }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//|       %1 = stablehlo.add %arg0_1, %v0_1 : tensor<4x4xf32>
//|       %c = stablehlo.constant dense<2> : tensor<ui32>
//|       %c_0 = stablehlo.constant dense<4> : tensor<ui32>
//|       %v2_1 = "stablehlo.partition_id"() : () -> tensor<ui32>
//|       %3 = stablehlo.divide %v2_1, %c : tensor<ui32>
//|       %4 = stablehlo.remainder %3, %c_0 : tensor<ui32>
//|       %5 = stablehlo.convert %4 : (tensor<ui32>) -> tensor<i32>
//|       %c_1 = stablehlo.constant dense<0> : tensor<i32>
//|       %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
//|       %7 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<4xi32>
//|       %8 = stablehlo.add %7, %6 : tensor<4xi32>
//|       sdy.return %1, %8 : tensor<4x4xf32>, tensor<4xi32>
//|     }) : (tensor<16x4xf32>, tensor<16x8xf32>) -> (tensor<16x4xf32>, tensor<16xi32>)
//|     return %6, %8 : tensor<16x4xf32>, tensor<16xi32>
//|   }
//| }
// RUN: run --check %s
//| same numbers on 8 devices: 128 values with 824 elements compared, 1 collective a device, 64 bytes sent by one device
