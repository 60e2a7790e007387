// What has no elements is not sent.
module {
  sdy.mesh @mesh = <["d"=4]>
  func.func @main(%a: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    return %a : tensor<0x8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[0,8]{1,0})->f32[0,8]{1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[0,8]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   ROOT %a_1 = f32[0,8]{1,0} broadcast(%constant), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 12 values with 0 elements compared, 0 collectives a device, 0 bytes sent by one device
