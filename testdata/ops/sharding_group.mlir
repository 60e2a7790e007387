// A group says that its values are sharded alike; no device does anything for it, and nothing is sent.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
    sdy.sharding_group %a group_id=0 : tensor<8xf32>
    %0 = stablehlo.negate %b : tensor<8xf32>
    sdy.sharding_group %0 group_id=0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2]{0}, f32[2]{0})->f32[2]{0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2]{0} parameter(0), sharding={devices=[4]<=[4]}
//|   %b = f32[2]{0} parameter(1), sharding={devices=[4]<=[4]}
//|   ROOT %v0 = f32[2]{0} negate(%b)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 32 elements compared, 0 collectives a device, 0 bytes sent by one device
