// A dynamic slice of whole rows, its start clamped so that it fits; the other dim stays split.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<3x6xf32> {
    %i = stablehlo.constant dense<7> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %a, %i, %z, sizes = [3, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x6xf32>
    return %0 : tensor<3x6xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[8,3]{1,0})->f32[3,3]{1,0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = f32[8,3]{1,0} parameter(0), sharding={devices=[1,2]<=[2]}
//|   %i = s32[] constant(7)
//|   %z = s32[] constant(0)
//|   ROOT %v0 = f32[3,3]{1,0} dynamic-slice(%a, %i, %z), dynamic_slice_sizes={3,3}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 88 elements compared, 0 collectives a device, 0 bytes sent by one device
