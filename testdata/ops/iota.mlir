// An iota along a split dim counts from where the device's part begins.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main() -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={()->s32[2]{0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[] constant(2), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant), frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[2]{0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[2]{0} broadcast(%multiply), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = s32[2]{0} add(%iota, %broadcast_in_dim)
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 4 values with 8 elements compared, 0 collectives a device, 0 bytes sent by one device
