// One row, and three rows, on eight devices: most blocks of the dim are padding, so what is there is added up in place of a
// gather.
module {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4xf32>, tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.slice %a [5:6, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    %2 = stablehlo.slice %a [0:3, 0:4] : (tensor<16x4xf32>) -> tensor<3x4xf32>
    return %1, %2 : tensor<4xf32>, tensor<3x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2,4]{1,0})->(f32[4]{0}, f32[3,4]{1,0})}, num_partitions=8
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[2,4]{1,0} parameter(0), sharding={devices=[8,1]<=[8]}
//|   %slice = f32[1,4]{1,0} slice(%a), slice={[1:2], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = f32[1,4]{1,0} collective-permute(%slice), channel_id=1, source_target_pairs={{2,0}}, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[] constant(1), frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[] compare(%convert, %constant), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = f32[1,4]{1,0} broadcast(%constant_1), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast = pred[1,4]{1,0} broadcast(%compare), dimensions={}
//|   %select = f32[1,4]{1,0} select(%broadcast, %v0, %broadcast_in_dim), frontend_attributes={is_spmd_generated="true"}
//|   %v0_1 = f32[1,4]{1,0} all-reduce(%select), channel_id=2, replica_groups={{0,1,2,3,4,5,6,7}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//|   %v1 = f32[4]{0} reshape(%v0_1)
//|   %slice_1 = f32[1,4]{1,0} slice(%a), slice={[0:1], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[8]{0} constant({1, 0, 1, 1, 1, 1, 1, 1}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = s32[1]{0} dynamic-slice(%constant_2, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = s32[] reshape(%dynamic_slice), frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_1 = f32[1,4]{1,0} dynamic-slice(%a, %reshape, %constant_3), dynamic_slice_sizes={1,4}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute = f32[1,4]{1,0} collective-permute(%dynamic_slice_1), channel_id=3, source_target_pairs={{0,1},{1,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = f32[3,4]{1,0} broadcast(%constant_4), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[8]{0} constant({1, 2, 2, 2, 2, 2, 2, 2}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_2 = s32[1]{0} dynamic-slice(%constant_5, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[] reshape(%dynamic_slice_2), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice = f32[3,4]{1,0} dynamic-update-slice(%broadcast_in_dim_1, %slice_1, %reshape_1, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[8]{0} constant({2, 1, 1, 1, 1, 1, 1, 1}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_3 = s32[1]{0} dynamic-slice(%constant_7, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_2 = s32[] reshape(%dynamic_slice_3), frontend_attributes={is_spmd_generated="true"}
//|   %constant_8 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_1 = f32[3,4]{1,0} dynamic-update-slice(%dynamic_update_slice, %collective_permute, %reshape_2, %constant_8), frontend_attributes={is_spmd_generated="true"}
//|   %v2 = f32[1,4]{1,0} slice(%dynamic_update_slice_1), slice={[1:2], [0:4]}
//|   %constant_9 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   %compare_1 = pred[] compare(%convert, %constant_9), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %constant_10 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = f32[1,4]{1,0} broadcast(%constant_10), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast.1 = pred[1,4]{1,0} broadcast(%compare_1), dimensions={}
//|   %select_1 = f32[1,4]{1,0} select(%broadcast.1, %v2, %broadcast_in_dim_2), frontend_attributes={is_spmd_generated="true"}
//|   %constant_11 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_3 = f32[3,4]{1,0} broadcast(%constant_11), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_12 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_2 = f32[3,4]{1,0} dynamic-update-slice(%broadcast_in_dim_3, %select_1, %convert, %constant_12), frontend_attributes={is_spmd_generated="true"}
//|   %v2_1 = f32[3,4]{1,0} all-reduce(%dynamic_update_slice_2), channel_id=4, replica_groups={{0,1,2,3,4,5,6,7}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %tuple = (f32[4]{0}, f32[3,4]{1,0}) tuple(%v1, %v2_1)
//| }
// RUN: run %s --check
//| same numbers on 8 devices: 64 values with 368 elements compared, 4 collectives a device, 144 bytes sent by one device
