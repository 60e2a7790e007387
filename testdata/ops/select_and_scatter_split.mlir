// The gradient of overlapping pooling along a split dim: a device looks at all windows that touch its block.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %g: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%a, %g, %zero) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %keep = stablehlo.compare GE, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %keep : tensor<i1>
    }, {
    ^bb0(%r: tensor<f32>, %s: tensor<f32>):
      %sum = stablehlo.add %r, %s : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16xf32>, tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0}, f32[2]{0})->f32[4]{0}}, num_partitions=4
//|
//| select_and_scatter_body {
//|   %p = f32[] parameter(0)
//|   %q = f32[] parameter(1)
//|   ROOT %keep = pred[] compare(%p, %q), direction=GE
//| }
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[4]<=[4]}
//|   %g = f32[2]{0} parameter(1), sharding={devices=[4]<=[4]}
//|   %zero = f32[] constant(0)
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %slice = f32[1]{0} slice(%g), slice={[0:1]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute = f32[1]{0} collective-permute(%slice), channel_id=1, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %concatenate = f32[3]{0} concatenate(%g, %collective_permute), dimensions={0}, frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[3]{0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(-2), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(8), frontend_attributes={is_spmd_generated="true"}
//|   %add = s32[] add(%multiply, %constant_2), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[3]{0} broadcast(%add), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[3]{0} compare(%iota, %broadcast_in_dim), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = f32[3]{0} broadcast(%constant), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select = f32[3]{0} select(%compare, %concatenate, %broadcast_in_dim_1), frontend_attributes={is_spmd_generated="true"}
//|   %slice_1 = f32[1]{0} slice(%a), slice={[3:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute_1 = f32[1]{0} collective-permute(%slice_1), channel_id=2, source_target_pairs={{0,1},{1,2},{2,3}}, frontend_attributes={is_spmd_generated="true"}
//|   %slice_2 = f32[2]{0} slice(%a), slice={[0:2]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute_2 = f32[2]{0} collective-permute(%slice_2), channel_id=3, source_target_pairs={{1,0},{2,1},{3,2}}, frontend_attributes={is_spmd_generated="true"}
//|   %concatenate_1 = f32[7]{0} concatenate(%collective_permute_1, %a, %collective_permute_2), dimensions={0}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = f32[] constant(-inf), frontend_attributes={is_spmd_generated="true"}
//|   %iota_1 = s32[7]{0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = s32[] constant(-4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_1 = s32[] multiply(%convert, %constant_4), frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[] constant(1), frontend_attributes={is_spmd_generated="true"}
//|   %add_1 = s32[] add(%multiply_1, %constant_5), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = s32[7]{0} broadcast(%add_1), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare_1 = pred[7]{0} compare(%iota_1, %broadcast_in_dim_2), direction=GE, frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(-4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_2 = s32[] multiply(%convert, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[] constant(17), frontend_attributes={is_spmd_generated="true"}
//|   %add_2 = s32[] add(%multiply_2, %constant_7), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_3 = s32[7]{0} broadcast(%add_2), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare_2 = pred[7]{0} compare(%iota_1, %broadcast_in_dim_3), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %and = pred[7]{0} and(%compare_1, %compare_2), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_4 = f32[7]{0} broadcast(%constant_3), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select_1 = f32[7]{0} select(%and, %concatenate_1, %broadcast_in_dim_4), frontend_attributes={is_spmd_generated="true"}
//|   %select_and_scatter = f32[7]{0} select-and-scatter(%select_1, %select, %zero), window={size=3 stride=2}, select=select_and_scatter_body, scatter=add.f32, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[4]{0} slice(%select_and_scatter), slice={[1:5]}, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 20 values with 60 elements compared, 3 collectives a device, 16 bytes sent by one device
