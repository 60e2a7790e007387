// A value that is to be in the memory of the host: each device says it of its block.
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {mhlo.memory_kind = "device", mhlo.sharding = "{devices=[4,2]<=[8]}"}) -> (tensor<16x8xf32> {jax.result_info = "result", mhlo.memory_kind = "pinned_host", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<16x8xf32>
    %2 = stablehlo.custom_call @annotate_device_placement(%1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %2 : tensor<16x8xf32>
  }
}
// RUN: compile %s
//| HloModule jit__lambda, entry_computation_layout={(f32[4,4]{1,0})->f32[4,8]{1,0}}, num_partitions=8
//|
//| ENTRY main_spmd {
//|   %arg0 = f32[4,4]{1,0} parameter(0), sharding={devices=[4,2]<=[8]}
//|   %cst = f32[] constant(2)
//|   %v0 = f32[4,4]{1,0} broadcast(%cst), dimensions={}
//|   %v1 = f32[4,4]{1,0} multiply(%arg0, %v0)
//|   %v2 = f32[4,4]{1,0} custom-call(%v1), custom_call_target="annotate_device_placement", custom_call_has_side_effect=true, frontend_attributes={_xla_buffer_placement="pinned_host"}
//|   ROOT %v2_1 = f32[4,8]{1,0} all-gather(%v2), channel_id=1, replica_groups={{0,1},{2,3},{4,5},{6,7}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run --check %s
//| same numbers on 8 devices: 56 values with 1032 elements compared, 1 collective a device, 64 bytes sent by one device
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["axis_0"=4, "axis_1"=2]>
//|   func.func public @main(%arg0: tensor<16x8xf32> {mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {"axis_1"}]>}) -> (tensor<16x8xf32> {jax.result_info = "result", mhlo.memory_kind = "pinned_host", sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {}]>}) {
//|     %cst = stablehlo.constant dense<2.0> : tensor<f32>
//|     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
//|     %1 = stablehlo.multiply %arg0, %0 : tensor<16x8xf32>
//|     %2 = "stablehlo.custom_call"(%1) <{call_target_name = "annotate_device_placement", backend_config = "", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<16x8xf32>) -> tensor<16x8xf32>
//|     return %2 : tensor<16x8xf32>
//|   }
//| }
