// Reversing a split dim sends every block to the device on the other side.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2]{0})->f32[2]{0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2]{0} parameter(0), sharding={devices=[4]<=[4]}
//|   %collective_permute = f32[2]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,3},{1,2},{2,1},{3,0}}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[2]{0} reverse(%collective_permute), dimensions={0}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 12 values with 24 elements compared, 1 collective a device, 8 bytes sent by one device
