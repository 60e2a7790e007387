// Random bits are the same however the array is split: each device makes them all and keeps its block.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<10xui32>) {
    %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<10xui32>)
    %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<10xui32>
    %3 = stablehlo.not %2 : tensor<10xui32>
    return %0, %3 : tensor<2xui64>, tensor<10xui32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(u64[2]{0})->(u64[2]{0}, u32[10]{0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %s = u64[2]{0} parameter(0), sharding={replicated}
//|   %rng-bit-generator = (u64[2]{0}, u32[10]{0}) rng-bit-generator(%s), algorithm=rng_default
//|   %v0 = u64[2]{0} get-tuple-element(%rng-bit-generator), index=0
//|   %v2 = u32[10]{0} get-tuple-element(%rng-bit-generator), index=1
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[] constant(3), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = u32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %pad = u32[12]{0} pad(%v2, %constant_1), padding=0_2, frontend_attributes={is_spmd_generated="true"}
//|   %v1 = u32[3]{0} dynamic-slice(%pad, %multiply), dynamic_slice_sizes={3}
//|   %v3 = u32[3]{0} not(%v1)
//|   %all_gather = u32[12]{0} all-gather(%v3), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v3_1 = u32[10]{0} slice(%all_gather), slice={[0:10]}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %tuple = (u64[2]{0}, u32[10]{0}) tuple(%v0, %v3_1)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 28 values with 124 elements compared, 1 collective a device, 36 bytes sent by one device
