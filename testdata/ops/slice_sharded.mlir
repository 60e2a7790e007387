// A slice along a split dim: each device sends the rows that others need, and only those.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<11x6xf32>, tensor<5x6xf32>) {
    %0 = stablehlo.slice %a [1:12, 0:6] : (tensor<12x6xf32>) -> tensor<11x6xf32>
    %1 = stablehlo.slice %a [2:12:2, 0:6] : (tensor<12x6xf32>) -> tensor<5x6xf32>
    return %0, %1 : tensor<11x6xf32>, tensor<5x6xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[3,6]{1,0})->(f32[11,6]{1,0}, f32[5,6]{1,0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[3,6]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %slice = f32[2,6]{1,0} slice(%a), slice={[1:3], [0:6]}, frontend_attributes={is_spmd_generated="true"}
//|   %slice_1 = f32[1,6]{1,0} slice(%a), slice={[0:1], [0:6]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute = f32[1,6]{1,0} collective-permute(%slice_1), channel_id=1, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = f32[3,6]{1,0} concatenate(%slice, %collective_permute), dimensions={0}, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[4]{0} constant({2, 0, 0, 0}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = s32[1]{0} dynamic-slice(%constant, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = s32[] reshape(%dynamic_slice), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_1 = f32[1,6]{1,0} dynamic-slice(%a, %reshape, %constant_1), dynamic_slice_sizes={1,6}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute_1 = f32[3,6]{1,0} collective-permute(%a), channel_id=2, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = f32[9,6]{1,0} broadcast(%constant_2), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[4]{0} constant({3, 6, 6, 6}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_2 = s32[1]{0} dynamic-slice(%constant_3, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[] reshape(%dynamic_slice_2), frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice = f32[9,6]{1,0} dynamic-update-slice(%broadcast_in_dim, %dynamic_slice_1, %reshape_1, %constant_4), frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[4]{0} constant({4, 3, 2, 4}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_3 = s32[1]{0} dynamic-slice(%constant_5, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_2 = s32[] reshape(%dynamic_slice_3), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_1 = f32[9,6]{1,0} dynamic-update-slice(%dynamic_update_slice, %collective_permute_1, %reshape_2, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %slice_2 = f32[3,6]{1,0} slice(%dynamic_update_slice_1), slice={[3:6], [0:6]}, frontend_attributes={is_spmd_generated="true"}
//|   %v1 = f32[2,6]{1,0} slice(%slice_2), slice={[0:3:2], [0:6]}
//|   %all_gather = f32[12,6]{1,0} all-gather(%v0), channel_id=3, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v0_1 = f32[11,6]{1,0} slice(%all_gather), slice={[0:11], [0:6]}, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_1 = f32[8,6]{1,0} all-gather(%v1), channel_id=4, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v1_1 = f32[5,6]{1,0} slice(%all_gather_1), slice={[0:5], [0:6]}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %tuple = (f32[11,6]{1,0}, f32[5,6]{1,0}) tuple(%v0_1, %v1_1)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 28 values with 936 elements compared, 4 collectives a device, 456 bytes sent by one device
