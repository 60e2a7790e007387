// Each device makes its own part of a constant: one number for all is written as it is, a table is cut.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main() -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.constant dense<2.5> : tensor<4xf32>
    %1 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    return %0, %1 : tensor<4xf32>, tensor<4xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={()->(f32[2]{0}, s32[2]{0})}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %constant = f32[] constant(2.5), frontend_attributes={is_spmd_generated="true"}
//|   %v0 = f32[2]{0} broadcast(%constant), dimensions={}
//|   %constant_1 = s32[4]{0} constant({1, 2, 3, 4}), frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(2), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_2), frontend_attributes={is_spmd_generated="true"}
//|   %v1 = s32[2]{0} dynamic-slice(%constant_1, %multiply), dynamic_slice_sizes={2}
//|   ROOT %tuple = (f32[2]{0}, s32[2]{0}) tuple(%v0, %v1)
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 16 elements compared, 0 collectives a device, 0 bytes sent by one device
