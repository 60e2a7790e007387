// The gradient of a kernel over split rows: each device sums over its own rows, and the sums are added up.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<3x8x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}, %g: tensor<8x8x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}) -> tensor<3x3x3x4xf32> {
    %0 = stablehlo.convolution(%a, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<8x8x2x4xf32>) -> tensor<3x3x3x4xf32>
    return %0 : tensor<3x3x3x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[3,2,8,2]{3,2,1,0}, f32[2,8,2,4]{3,2,1,0})->f32[3,3,3,4]{3,2,1,0}}, num_partitions=4
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[3,2,8,2]{3,2,1,0} parameter(0), sharding={devices=[1,4,1,1]<=[4]}
//|   %g = f32[2,8,2,4]{3,2,1,0} parameter(1), sharding={devices=[4,1,1,1]<=[4]}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %slice = f32[3,1,8,2]{3,2,1,0} slice(%a), slice={[0:3], [1:2], [0:8], [0:2]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute = f32[3,1,8,2]{3,2,1,0} collective-permute(%slice), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3}}, frontend_attributes={is_spmd_generated="true"}
//|   %slice_1 = f32[3,1,8,2]{3,2,1,0} slice(%a), slice={[0:3], [0:1], [0:8], [0:2]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute_1 = f32[3,1,8,2]{3,2,1,0} collective-permute(%slice_1), channel_id=2, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %concatenate = f32[3,4,8,2]{3,2,1,0} concatenate(%collective_permute, %a, %collective_permute_1), dimensions={1}, frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[3,4,8,2]{3,2,1,0} iota(), iota_dimension=1, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(-2), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(1), frontend_attributes={is_spmd_generated="true"}
//|   %add = s32[] add(%multiply, %constant_2), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[3,4,8,2]{3,2,1,0} broadcast(%add), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[3,4,8,2]{3,2,1,0} compare(%iota, %broadcast_in_dim), direction=GE, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[] constant(-2), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_1 = s32[] multiply(%convert, %constant_3), frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(9), frontend_attributes={is_spmd_generated="true"}
//|   %add_1 = s32[] add(%multiply_1, %constant_4), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = s32[3,4,8,2]{3,2,1,0} broadcast(%add_1), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare_1 = pred[3,4,8,2]{3,2,1,0} compare(%iota, %broadcast_in_dim_1), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %and = pred[3,4,8,2]{3,2,1,0} and(%compare, %compare_1), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = f32[3,4,8,2]{3,2,1,0} broadcast(%constant), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select = f32[3,4,8,2]{3,2,1,0} select(%and, %concatenate, %broadcast_in_dim_2), frontend_attributes={is_spmd_generated="true"}
//|   %v0_partial = f32[3,3,3,4]{3,2,1,0} convolution(%select, %g), window={size=2x8 pad=0_0x1_1}, dim_labels=b01f_01io->b01f
//|   ROOT %v0 = f32[3,3,3,4]{3,2,1,0} all-reduce(%v0_partial), channel_id=3, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 1760 elements compared, 3 collectives a device, 1032 bytes sent by one device
