// Two meshes of the same devices in different orders: blocks change places by a collective-permute.
module {
  sdy.mesh @mesh = <["x"=4]>
  sdy.mesh @other = <["x"=4], device_ids=[0, 2, 1, 3]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) {
    %0 = stablehlo.tanh %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2]{0})->f32[2]{0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2]{0} parameter(0), sharding={devices=[4]<=[4]}
//|   %a_1 = f32[2]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,0},{1,2},{2,1},{3,3}}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[2]{0} tanh(%a_1)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 32 elements compared, 1 collective a device, 8 bytes sent by one device
