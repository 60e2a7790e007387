// A choice between two bodies, with values from outside of them; both leave their result in one sharding.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%i: tensor<i32>, %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = "stablehlo.case"(%i) ({
      %1 = stablehlo.tanh %a : tensor<8xf32>
      stablehlo.return %1 : tensor<8xf32>
    }, {
      stablehlo.return %a : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(s32[], f32[4]{0})->f32[4]{0}}, num_partitions=2
//|
//| case_branch0 {
//|   %param = (f32[4]{0}) parameter(0)
//|   %a = f32[4]{0} get-tuple-element(%param), index=0
//|   ROOT %v1 = f32[4]{0} tanh(%a)
//| }
//|
//| case_branch1 {
//|   %param = (f32[4]{0}) parameter(0)
//|   ROOT %a = f32[4]{0} get-tuple-element(%param), index=0
//| }
//|
//| ENTRY main_spmd {
//|   %i = s32[] parameter(0), sharding={replicated}
//|   %a = f32[4]{0} parameter(1), sharding={devices=[2]<=[2]}
//|   %tuple = (f32[4]{0}) tuple(%a)
//|   ROOT %v0 = f32[4]{0} conditional(%i, %tuple, %tuple), branch_computations={case_branch0, case_branch1}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 34 elements compared, 0 collectives a device, 0 bytes sent by one device
