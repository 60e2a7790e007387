// A loop: the carried value keeps its sharding from turn to turn.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<8xf32>
     cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %v, %v : tensor<8xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
    }
    return %0#1 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, num_partitions=2
//|
//| while_cond {
//|   %param = (s32[], f32[4]{0}) parameter(0)
//|   %i = s32[] get-tuple-element(%param), index=0
//|   %n = s32[] constant(3)
//|   ROOT %v1 = pred[] compare(%i, %n), direction=LT
//| }
//|
//| while_body {
//|   %param = (s32[], f32[4]{0}) parameter(0)
//|   %i = s32[] get-tuple-element(%param), index=0
//|   %v = f32[4]{0} get-tuple-element(%param), index=1
//|   %one = s32[] constant(1)
//|   %v1 = s32[] add(%i, %one)
//|   %v2 = f32[4]{0} add(%v, %v)
//|   ROOT %tuple = (s32[], f32[4]{0}) tuple(%v1, %v2)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %zero = s32[] constant(0)
//|   %tuple = (s32[], f32[4]{0}) tuple(%zero, %a)
//|   %v0 = (s32[], f32[4]{0}) while(%tuple), condition=while_cond, body=while_body
//|   ROOT %v0.1 = f32[4]{0} get-tuple-element(%v0), index=1
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 72 values with 150 elements compared, 0 collectives a device, 0 bytes sent by one device
