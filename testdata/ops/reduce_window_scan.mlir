// A cumulative sum along a split dim: each block by itself, and the totals of the blocks before it added.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x3xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<f32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{1,0}}, num_partitions=4
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[2,3]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %zero = f32[] constant(0)
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %reduce = f32[3]{0} reduce(%a, %constant), dimensions={0}, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = f32[1,3]{1,0} reshape(%reduce), frontend_attributes={is_spmd_generated="true"}
//|   %all_gather = f32[4,3]{1,0} all-gather(%reshape), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[4,3]{1,0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[4,3]{1,0} broadcast(%convert), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[4,3]{1,0} compare(%iota, %broadcast_in_dim), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = f32[4,3]{1,0} broadcast(%constant_1), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select = f32[4,3]{1,0} select(%compare, %all_gather, %broadcast_in_dim_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %reduce_1 = f32[3]{0} reduce(%select, %constant_2), dimensions={0}, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//|   %reduce_window = f32[2,3]{1,0} reduce-window(%a, %zero), window={size=2x1 pad=1_0x0_0}, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = f32[2,3]{1,0} broadcast(%reduce_1), dimensions={1}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[2,3]{1,0} add(%broadcast_in_dim_2, %reduce_window), frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 76 elements compared, 1 collective a device, 36 bytes sent by one device
