// Splitting a dim in two keeps the shards where they are if the major part divides; merging them does, too.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<32xf32> {
    %0 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x4x4xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,4]{1,0})->f32[16]{0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = f32[4,4]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
//|   %v0 = f32[1,4,4]{2,1,0} reshape(%a)
//|   ROOT %v1 = f32[16]{0} reshape(%v0)
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 128 elements compared, 0 collectives a device, 0 bytes sent by one device
