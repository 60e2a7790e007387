// One row of a split dim: only the device that has it contributes, and the others get it.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>) -> tensor<1x6xf32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %a, %i, %z, sizes = [1, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    return %0 : tensor<1x6xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,6]{1,0}, s32[])->f32[1,6]{1,0}}, num_partitions=2
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4,6]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
//|   %i = s32[] parameter(1), sharding={replicated}
//|   %z = s32[] constant(0)
//|   %constant = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(7), frontend_attributes={is_spmd_generated="true"}
//|   %clamp = s32[] clamp(%constant, %i, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_2), frontend_attributes={is_spmd_generated="true"}
//|   %subtract = s32[] subtract(%clamp, %multiply), frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   %clamp_1 = s32[] clamp(%constant_3, %subtract, %constant_4), frontend_attributes={is_spmd_generated="true"}
//|   %subtract_1 = s32[] subtract(%subtract, %clamp_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[] constant(-1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(1), frontend_attributes={is_spmd_generated="true"}
//|   %clamp_2 = s32[] clamp(%constant_5, %subtract_1, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = f32[1,6]{1,0} dynamic-slice(%a, %clamp_1, %z), dynamic_slice_sizes={1,6}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[] compare(%clamp_2, %constant_7), direction=EQ, frontend_attributes={is_spmd_generated="true"}
//|   %constant_8 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = f32[1,6]{1,0} broadcast(%constant_8), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast = pred[1,6]{1,0} broadcast(%compare), dimensions={}
//|   %v0_partial = f32[1,6]{1,0} select(%broadcast, %dynamic_slice, %broadcast_in_dim)
//|   ROOT %v0 = f32[1,6]{1,0} all-reduce(%v0_partial), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 76 elements compared, 1 collective a device, 24 bytes sent by one device
