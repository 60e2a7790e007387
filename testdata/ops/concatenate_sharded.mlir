// Joining along a split dim: each device collects the rows of its block of the result.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<12xf32> {
    %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2]{0}, f32[1]{0})->f32[3]{0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2]{0} parameter(0), sharding={devices=[4]<=[4]}
//|   %b = f32[1]{0} parameter(1), sharding={devices=[4]<=[4]}
//|   %collective_permute = f32[2]{0} collective-permute(%a), channel_id=1, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = f32[7]{0} broadcast(%constant), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[4]{0} constant({2, 1, 5, 5}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = s32[1]{0} dynamic-slice(%constant_1, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = s32[] reshape(%dynamic_slice), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice = f32[7]{0} dynamic-update-slice(%broadcast_in_dim, %a, %reshape), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[4]{0} constant({4, 3, 2, 4}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_1 = s32[1]{0} dynamic-slice(%constant_2, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[] reshape(%dynamic_slice_1), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_1 = f32[7]{0} dynamic-update-slice(%dynamic_update_slice, %collective_permute, %reshape_1), frontend_attributes={is_spmd_generated="true"}
//|   %slice = f32[3]{0} slice(%dynamic_update_slice_1), slice={[2:5]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute_1 = f32[1]{0} collective-permute(%b), channel_id=2, source_target_pairs={{0,2},{1,3}}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute_2 = f32[1]{0} collective-permute(%b), channel_id=3, source_target_pairs={{2,3}}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = f32[5]{0} broadcast(%constant_3), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[4]{0} constant({4, 4, 4, 3}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_2 = s32[1]{0} dynamic-slice(%constant_4, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_2 = s32[] reshape(%dynamic_slice_2), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_2 = f32[5]{0} dynamic-update-slice(%broadcast_in_dim_1, %b, %reshape_2), frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[4]{0} constant({3, 3, 3, 1}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_3 = s32[1]{0} dynamic-slice(%constant_5, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_3 = s32[] reshape(%dynamic_slice_3), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_3 = f32[5]{0} dynamic-update-slice(%dynamic_update_slice_2, %collective_permute_1, %reshape_3), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(2), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_4 = f32[5]{0} dynamic-update-slice(%dynamic_update_slice_3, %collective_permute_2, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %slice_1 = f32[3]{0} slice(%dynamic_update_slice_4), slice={[1:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[3]{0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[] constant(-3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_7), frontend_attributes={is_spmd_generated="true"}
//|   %constant_8 = s32[] constant(8), frontend_attributes={is_spmd_generated="true"}
//|   %add = s32[] add(%multiply, %constant_8), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = s32[3]{0} broadcast(%add), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[3]{0} compare(%iota, %broadcast_in_dim_2), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[3]{0} select(%compare, %slice, %slice_1), frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 36 elements compared, 3 collectives a device, 16 bytes sent by one device
