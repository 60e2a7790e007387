// A group says that its values are sharded alike; nothing of it is left in the per-device program.
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
//|   %a_1 = f32[8]{0} all-gather(%a), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[2]{0} negate(%b)
//|   %v0_1 = f32[8]{0} all-gather(%v0), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 24 values with 96 elements compared, 2 collectives a device, 48 bytes sent by one device
