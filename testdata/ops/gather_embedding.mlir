// An embedding whose table is split by vocabulary: each device looks up what it has, zero elsewhere, and a sum follows.
module {
  sdy.mesh @mesh = <["v"=2]>
  func.func public @main(%table: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"v"}, {}]>}, %ids: tensor<3x1xi32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,4]{1,0}, s32[3,1]{1,0})->f32[3,4]{1,0}}, num_partitions=2
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %table = f32[4,4]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
//|   %ids = s32[3,1]{1,0} parameter(1), sharding={replicated}
//|   %constant = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(7), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast = s32[3,1]{1,0} broadcast(%constant), dimensions={}
//|   %broadcast.1 = s32[3,1]{1,0} broadcast(%constant_1), dimensions={}
//|   %clamp = s32[3,1]{1,0} clamp(%broadcast, %ids, %broadcast.1), frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_2), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[3,1]{1,0} broadcast(%multiply), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %subtract = s32[3,1]{1,0} subtract(%clamp, %broadcast_in_dim), frontend_attributes={is_spmd_generated="true"}
//|   %gather = f32[3,4]{1,0} gather(%table, %subtract), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = s32[3,1]{1,0} broadcast(%constant_3), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[3,1]{1,0} compare(%subtract, %broadcast_in_dim_1), direction=GE, frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(4), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = s32[3,1]{1,0} broadcast(%constant_4), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare_1 = pred[3,1]{1,0} compare(%subtract, %broadcast_in_dim_2), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %and = pred[3,1]{1,0} and(%compare, %compare_1), frontend_attributes={is_spmd_generated="true"}
//|   %reshape = pred[3]{0} reshape(%and), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_3 = pred[3,4]{1,0} broadcast(%reshape), dimensions={0}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_4 = f32[3,4]{1,0} broadcast(%constant_5), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %v0_partial = f32[3,4]{1,0} select(%broadcast_in_dim_3, %gather, %broadcast_in_dim_4)
//|   ROOT %v0 = f32[3,4]{1,0} all-reduce(%v0_partial), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 86 elements compared, 1 collective a device, 48 bytes sent by one device
