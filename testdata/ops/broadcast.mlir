// A new dim is made by each device for its own part.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2]{0})->f32[4,2]{1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2]{0} parameter(0), sharding={devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
//|   ROOT %v0 = f32[4,2]{1,0} broadcast(%a), dimensions={1}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 12 values with 72 elements compared, 0 collectives a device, 0 bytes sent by one device
