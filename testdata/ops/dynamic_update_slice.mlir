// A row written at a position known at run time, as into a cache whose positions are split: its owner alone writes it.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %u: tensor<1x6xf32>, %i: tensor<i32>) -> tensor<8x6xf32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_update_slice %a, %u, %i, %z : (tensor<8x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,6]{1,0}, f32[1,6]{1,0}, s32[])->f32[4,6]{1,0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = f32[4,6]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
//|   %u = f32[1,6]{1,0} parameter(1), sharding={replicated}
//|   %i = s32[] parameter(2), sharding={replicated}
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
//|   %negate = s32[] negate(%clamp_2), frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %constant_8 = s32[] constant(1), frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[] compare(%negate, %constant_7), direction=GE, frontend_attributes={is_spmd_generated="true"}
//|   %compare_1 = pred[] compare(%negate, %constant_8), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %and = pred[] and(%compare, %compare_1), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = f32[1,6]{1,0} dynamic-slice(%a, %clamp_1, %z), dynamic_slice_sizes={1,6}, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast = pred[1,6]{1,0} broadcast(%and), dimensions={}
//|   %select = f32[1,6]{1,0} select(%broadcast, %u, %dynamic_slice), frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[4,6]{1,0} dynamic-update-slice(%a, %select, %clamp_1, %z)
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 12 values with 160 elements compared, 0 collectives a device, 0 bytes sent by one device
