// A contracted dim of 5 on 2 devices: the padding of the last part is masked to zero before it is summed.
module {
  sdy.mesh @mesh = <["k"=2]>
  func.func public @main(%a: tensor<4x5xf32>, %w: tensor<5x2xf32>) -> tensor<4x2xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{}, {"k"}]> : tensor<4x5xf32>
    %1 = sdy.sharding_constraint %w <@mesh, [{"k"}, {}]> : tensor<5x2xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| HloModule main_spmd, entry_computation_layout={(f32[4,5]{1,0}, f32[5,2]{1,0})->f32[4,2]{1,0}}, num_partitions=2
//|
//| add.f32 {
//|   x = f32[] parameter(0)
//|   y = f32[] parameter(1)
//|   ROOT add = f32[] add(x, y)
//| }
//|
//| ENTRY main_spmd {
//|   a = f32[4,5]{1,0} parameter(0), sharding={replicated}
//|   w = f32[5,2]{1,0} parameter(1), sharding={replicated}
//|   constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   pad = f32[4,6]{1,0} pad(a, constant), padding=0_0x0_1, frontend_attributes={is_spmd_generated="true"}
//|   partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   convert = s32[] convert(partition_id), frontend_attributes={is_spmd_generated="true"}
//|   constant_1 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   multiply = s32[] multiply(convert, constant_1), frontend_attributes={is_spmd_generated="true"}
//|   constant_2 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   a_1 = f32[4,3]{1,0} dynamic-slice(pad, constant_2, multiply), dynamic_slice_sizes={4,3}, frontend_attributes={is_spmd_generated="true"}
//|   constant_3 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   pad_1 = f32[6,2]{1,0} pad(w, constant_3), padding=0_1x0_0, frontend_attributes={is_spmd_generated="true"}
//|   constant_4 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   multiply_1 = s32[] multiply(convert, constant_4), frontend_attributes={is_spmd_generated="true"}
//|   constant_5 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   w_1 = f32[3,2]{1,0} dynamic-slice(pad_1, multiply_1, constant_5), dynamic_slice_sizes={3,2}, frontend_attributes={is_spmd_generated="true"}
//|   constant_6 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   multiply_2 = s32[] multiply(convert, constant_6), frontend_attributes={is_spmd_generated="true"}
//|   constant_7 = s32[] constant(5), frontend_attributes={is_spmd_generated="true"}
//|   subtract = s32[] subtract(constant_7, multiply_2), frontend_attributes={is_spmd_generated="true"}
//|   iota = s32[4,3]{1,0} iota(), iota_dimension=1, frontend_attributes={is_spmd_generated="true"}
//|   broadcast_in_dim = s32[4,3]{1,0} broadcast(subtract), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   compare = pred[4,3]{1,0} compare(iota, broadcast_in_dim), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   constant_8 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   broadcast_in_dim_1 = f32[4,3]{1,0} broadcast(constant_8), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   select = f32[4,3]{1,0} select(compare, a_1, broadcast_in_dim_1), frontend_attributes={is_spmd_generated="true"}
//|   constant_9 = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   multiply_3 = s32[] multiply(convert, constant_9), frontend_attributes={is_spmd_generated="true"}
//|   constant_10 = s32[] constant(5), frontend_attributes={is_spmd_generated="true"}
//|   subtract_1 = s32[] subtract(constant_10, multiply_3), frontend_attributes={is_spmd_generated="true"}
//|   iota_1 = s32[3,2]{1,0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   broadcast_in_dim_2 = s32[3,2]{1,0} broadcast(subtract_1), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   compare_1 = pred[3,2]{1,0} compare(iota_1, broadcast_in_dim_2), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   constant_11 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   broadcast_in_dim_3 = f32[3,2]{1,0} broadcast(constant_11), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   select_1 = f32[3,2]{1,0} select(compare_1, w_1, broadcast_in_dim_3), frontend_attributes={is_spmd_generated="true"}
//|   v2_partial = f32[4,2]{1,0} dot(select, select_1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//|   ROOT v2 = f32[4,2]{1,0} all-reduce(v2_partial), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 12 values with 122 elements compared, 1 collectives a device, 32 bytes sent by one device
