// Padding along a split dim shifts rows between devices; what is outside of the operand holds the padding value.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %z: tensor<f32>) -> (tensor<10xf32>, tensor<15xf32>) {
    %0 = stablehlo.pad %a, %z, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
    %1 = stablehlo.pad %a, %z, low = [1], high = [-1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<15xf32>
    %2 = stablehlo.negate %0 : tensor<10xf32>
    %3 = stablehlo.negate %1 : tensor<15xf32>
    return %2, %3 : tensor<10xf32>, tensor<15xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2]{0}, f32[])->(f32[10]{0}, f32[15]{0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2]{0} parameter(0), sharding={devices=[4]<=[4]}
//|   %z = f32[] parameter(1), sharding={replicated}
//|   %collective_permute = f32[2]{0} collective-permute(%a), channel_id=1, source_target_pairs={{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = f32[7]{0} broadcast(%constant), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[4]{0} constant({3, 2, 1, 5}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = s32[1]{0} dynamic-slice(%constant_1, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = s32[] reshape(%dynamic_slice), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice = f32[7]{0} dynamic-update-slice(%broadcast_in_dim, %a, %reshape), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[4]{0} constant({5, 4, 3, 4}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_1 = s32[1]{0} dynamic-slice(%constant_2, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[] reshape(%dynamic_slice_1), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_1 = f32[7]{0} dynamic-update-slice(%dynamic_update_slice, %collective_permute, %reshape_1), frontend_attributes={is_spmd_generated="true"}
//|   %slice = f32[3]{0} slice(%dynamic_update_slice_1), slice={[2:5]}, frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[3]{0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[] constant(-3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_3), frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(1), frontend_attributes={is_spmd_generated="true"}
//|   %add = s32[] add(%multiply, %constant_4), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = s32[3]{0} broadcast(%add), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[3]{0} compare(%iota, %broadcast_in_dim_1), direction=GE, frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[] constant(-3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_1 = s32[] multiply(%convert, %constant_5), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(9), frontend_attributes={is_spmd_generated="true"}
//|   %add_1 = s32[] add(%multiply_1, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = s32[3]{0} broadcast(%add_1), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare_1 = pred[3]{0} compare(%iota, %broadcast_in_dim_2), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %and = pred[3]{0} and(%compare, %compare_1), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_3 = f32[3]{0} broadcast(%z), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = f32[3]{0} select(%and, %slice, %broadcast_in_dim_3), frontend_attributes={is_spmd_generated="true"}
//|   %pad = f32[5]{0} pad(%a, %z), padding=1_1_1, frontend_attributes={is_spmd_generated="true"}
//|   %v1 = f32[4]{0} slice(%pad), slice={[0:4]}
//|   %v2 = f32[3]{0} negate(%v0)
//|   %v3 = f32[4]{0} negate(%v1)
//|   %all_gather = f32[12]{0} all-gather(%v2), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v2_1 = f32[10]{0} slice(%all_gather), slice={[0:10]}, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_1 = f32[16]{0} all-gather(%v3), channel_id=3, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v3_1 = f32[15]{0} slice(%all_gather_1), slice={[0:15]}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %tuple = (f32[10]{0}, f32[15]{0}) tuple(%v2_1, %v3_1)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 40 values with 262 elements compared, 3 collectives a device, 92 bytes sent by one device
