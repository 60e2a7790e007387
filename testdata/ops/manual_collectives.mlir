// Every collective of a manual region is kept as it was written.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
      %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
      %2 = "stablehlo.reduce_scatter"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %5 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) : (tensor<8x4xf32>) -> tensor<4x4xf32>
      %3 = "stablehlo.all_to_all"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
      %6 = stablehlo.reshape %3 : (tensor<8x2xf32>) -> tensor<4x4xf32>
      %4 = "stablehlo.collective_permute"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
      sdy.return %4 : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,4]{1,0})->f32[4,4]{1,0}}, num_partitions=2
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4,4]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
//|   %v1 = f32[8,4]{1,0} all-gather(%a), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true
//|   %v2 = f32[4,4]{1,0} reduce-scatter(%v1), channel_id=2, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, to_apply=add.f32
//|   %v3 = f32[4,4]{1,0} all-to-all(%v2), channel_id=3, replica_groups={{0,1}}, dimensions={1}
//|   %reshape = f32[4,2,2]{2,1,0} reshape(%v3), frontend_attributes={is_spmd_generated="true"}
//|   %transpose = f32[2,4,2]{2,1,0} transpose(%reshape), dimensions={1,0,2}, frontend_attributes={is_spmd_generated="true"}
//|   %v3.1 = f32[8,2]{1,0} reshape(%transpose)
//|   %v6 = f32[4,4]{1,0} reshape(%v3.1)
//|   ROOT %v4 = f32[4,4]{1,0} collective-permute(%v6), channel_id=4, source_target_pairs={{0,1},{1,0}}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 14 values with 256 elements compared, 4 collectives a device, 224 bytes sent by one device
