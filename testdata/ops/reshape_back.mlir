// An array that is flattened and unflattened again stays where it is, though the flat form cannot be split so.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<2x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>}) -> tensor<2x8x4xf32> {
    %0 = stablehlo.reshape %a : (tensor<2x8x4xf32>) -> tensor<16x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %2 = stablehlo.tanh %1 : tensor<2x8x4xf32>
    return %2 : tensor<2x8x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2,2,4]{2,1,0})->f32[2,2,4]{2,1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2,2,4]{2,1,0} parameter(0), sharding={devices=[1,4,1]<=[4]}
//|   %v1 = f32[2,2,4]{2,1,0} reshape(%a)
//|   ROOT %v2 = f32[2,2,4]{2,1,0} tanh(%v1)
//| }
// RUN: run --check %s
//| same numbers on 4 devices: 16 values with 256 elements compared, 0 collectives a device, 0 bytes sent by one device
