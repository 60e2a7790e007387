// Pooling over a split dim needs the next rows of the neighbour; an uneven dim is filled with the initial value.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<10x3xf32>) -> tensor<5x3xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%0, %lowest) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %m = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x3xf32>
    return %1 : tensor<5x3xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[5,3]{1,0})->f32[5,3]{1,0}}, num_partitions=4
//|
//| maximum.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %maximum = f32[] maximum(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[5,3]{1,0} parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
//|   %a_1 = f32[10,3]{1,0} all-gather(%a), channel_id=1, replica_groups={{0,2},{1,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %pad = f32[12,3]{1,0} pad(%a_1, %constant), padding=0_2x0_0, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %a_2 = f32[3,3]{1,0} dynamic-slice(%pad, %multiply, %constant_2), dynamic_slice_sizes={3,3}, frontend_attributes={is_spmd_generated="true"}
//|   %lowest = f32[] constant(-inf)
//|   %collective_permute = f32[3,3]{1,0} collective-permute(%a_2), channel_id=2, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = f32[11,3]{1,0} broadcast(%constant_3), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[4]{0} constant({3, 2, 1, 8}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice = s32[1]{0} dynamic-slice(%constant_4, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = s32[] reshape(%dynamic_slice), frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice = f32[11,3]{1,0} dynamic-update-slice(%broadcast_in_dim, %a_2, %reshape, %constant_5), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[4]{0} constant({6, 5, 4, 6}), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_slice_1 = s32[1]{0} dynamic-slice(%constant_6, %convert), dynamic_slice_sizes={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[] reshape(%dynamic_slice_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %dynamic_update_slice_1 = f32[11,3]{1,0} dynamic-update-slice(%dynamic_update_slice, %collective_permute, %reshape_1, %constant_7), frontend_attributes={is_spmd_generated="true"}
//|   %slice = f32[5,3]{1,0} slice(%dynamic_update_slice_1), slice={[3:8], [0:3]}, frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[5,3]{1,0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %constant_8 = s32[] constant(-4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_1 = s32[] multiply(%convert, %constant_8), frontend_attributes={is_spmd_generated="true"}
//|   %constant_9 = s32[] constant(10), frontend_attributes={is_spmd_generated="true"}
//|   %add = s32[] add(%multiply_1, %constant_9), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = s32[5,3]{1,0} broadcast(%add), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[5,3]{1,0} compare(%iota, %broadcast_in_dim_1), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = f32[5,3]{1,0} broadcast(%lowest), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select = f32[5,3]{1,0} select(%compare, %slice, %broadcast_in_dim_2), frontend_attributes={is_spmd_generated="true"}
//|   %v1 = f32[2,3]{1,0} reduce-window(%select, %lowest), window={size=3x1 stride=2x1}, to_apply=maximum.f32
//|   %all_gather = f32[8,3]{1,0} all-gather(%v1), channel_id=3, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v1_1 = f32[5,3]{1,0} slice(%all_gather), slice={[0:5], [0:3]}, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 28 values with 349 elements compared, 3 collectives a device, 168 bytes sent by one device
