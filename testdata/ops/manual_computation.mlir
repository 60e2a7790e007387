// A region whose ops work on each device's block, as shard_map makes it, with a sum over the axis that was asked for.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32>) -> tensor<4x4xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
      %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %2 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      sdy.return %1 : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
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
//|   ROOT %v1 = f32[4,4]{1,0} all-reduce(%a), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add.f32
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 6 values with 96 elements compared, 1 collective a device, 64 bytes sent by one device
