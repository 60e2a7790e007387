// An argmax: value and index are reduced together, by a comparison; on a split dim the pairs of all devices are gathered.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<i32> {
    %i = stablehlo.iota dim = 0 : tensor<8xi32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
      %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
      %3 = stablehlo.select %1, %m, %n : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }
    return %0#1 : tensor<i32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->s32[]}, num_partitions=2
//|
//| reduce_body {
//|   %x = f32[] parameter(0)
//|   %m = s32[] parameter(1)
//|   %y = f32[] parameter(2)
//|   %n = s32[] parameter(3)
//|   %v1 = pred[] compare(%x, %y), direction=GT
//|   %v2 = f32[] select(%v1, %x, %y)
//|   %v3 = s32[] select(%v1, %m, %n)
//|   ROOT %tuple = (f32[], s32[]) tuple(%v2, %v3)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %a_1 = f32[8]{0} all-gather(%a), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %i = s32[8]{0} iota(), iota_dimension=0
//|   %low = f32[] constant(-inf)
//|   %zero = s32[] constant(0)
//|   %v0 = (f32[], s32[]) reduce(%a_1, %i, %low, %zero), dimensions={0}, to_apply=reduce_body
//|   ROOT %v0.1 = s32[] get-tuple-element(%v0), index=1
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 16 values with 50 elements compared, 1 collective a device, 16 bytes sent by one device
