// The greatest of a split row: each device chooses among its own, then all choose among the chosen.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
    %values, %places = chlo.top_k(%a, k = 3) : tensor<2x64xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
    return %values, %places : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2,16]{1,0})->(f32[2,3]{1,0}, s32[2,3]{1,0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2,16]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}
//|   %topk = (f32[2,3]{1,0}, s32[2,3]{1,0}) topk(%a), k=3, largest=true, frontend_attributes={is_spmd_generated="true"}
//|   %top_k = f32[2,3]{1,0} get-tuple-element(%topk), index=0
//|   %top_k_1 = s32[2,3]{1,0} get-tuple-element(%topk), index=1
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[] constant(16), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[2,3]{1,0} broadcast(%multiply), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %add = s32[2,3]{1,0} add(%top_k_1, %broadcast_in_dim), frontend_attributes={is_spmd_generated="true"}
//|   %all_gather = f32[2,12]{1,0} all-gather(%top_k), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_1 = s32[2,12]{1,0} all-gather(%add), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %topk.1 = (f32[2,3]{1,0}, s32[2,3]{1,0}) topk(%all_gather), k=3, largest=true
//|   %values = f32[2,3]{1,0} get-tuple-element(%topk.1), index=0
//|   %v12 = s32[2,3]{1,0} get-tuple-element(%topk.1), index=1
//|   %reshape = s32[2,3,1]{2,1,0} reshape(%v12), frontend_attributes={is_spmd_generated="true"}
//|   %places = s32[2,3]{1,0} gather(%all_gather_1, %reshape), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %tuple = (f32[2,3]{1,0}, s32[2,3]{1,0}) tuple(%values, %places)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 20 values with 224 elements compared, 2 collectives a device, 144 bytes sent by one device
