// A maximum over 5 rows on 2 devices: the padding of the last part is masked with -inf, the neutral element.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<5x4xf32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<5x4xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[5,4]{1,0})->f32[4]{0}}, num_partitions=2
//|
//| maximum.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %maximum = f32[] maximum(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[5,4]{1,0} parameter(0), sharding={replicated}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %pad = f32[6,4]{1,0} pad(%a, %constant), padding=0_1x0_0, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %a_1 = f32[3,4]{1,0} dynamic-slice(%pad, %multiply, %constant_2), dynamic_slice_sizes={3,4}, frontend_attributes={is_spmd_generated="true"}
//|   %cst = f32[] constant(-inf)
//|   %constant_3 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_1 = s32[] multiply(%convert, %constant_3), frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(5), frontend_attributes={is_spmd_generated="true"}
//|   %subtract = s32[] subtract(%constant_4, %multiply_1), frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[3,4]{1,0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[3,4]{1,0} broadcast(%subtract), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[3,4]{1,0} compare(%iota, %broadcast_in_dim), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = f32[] constant(-inf), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = f32[3,4]{1,0} broadcast(%constant_5), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select = f32[3,4]{1,0} select(%compare, %a_1, %broadcast_in_dim_1), frontend_attributes={is_spmd_generated="true"}
//|   %v1_partial = f32[4]{0} reduce(%select, %cst), dimensions={0}, to_apply=maximum.f32
//|   ROOT %v1 = f32[4]{0} all-reduce(%v1_partial), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=maximum.f32, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 78 elements compared, 1 collective a device, 16 bytes sent by one device
