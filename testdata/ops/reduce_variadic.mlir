// An argmax: value and index are reduced together, by a comparison; on a split dim the pairs of all devices are gathered.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<i32> {
    %i = stablehlo.iota dim = 0 : tensor<8xi32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
      %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
      %3 = stablehlo.select %1, %m, %n : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }
    return %0#1 : tensor<i32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->s32[]}, num_partitions=2
//|
//| reduce_body {
//|   %x = f32[] parameter(0)
//|   %m = s32[] parameter(1)
//|   %y = f32[] parameter(2)
//|   %n = s32[] parameter(3)
//|   %v1 = pred[] compare(%x, %y), direction=GT
//|   %v2 = f32[] select(%v1, %x, %y)
//|   %v3 = s32[] select(%v1, %m, %n)
//|   ROOT %tuple = (f32[], s32[]) tuple(%v2, %v3)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[] constant(4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant), frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[4]{0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[4]{0} broadcast(%multiply), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %i = s32[4]{0} add(%iota, %broadcast_in_dim)
//|   %low = f32[] constant(-inf)
//|   %zero = s32[] constant(0)
//|   %reduce.1 = (f32[], s32[]) reduce(%a, %i, %low, %zero), dimensions={0}, to_apply=reduce_body, frontend_attributes={is_spmd_generated="true"}
//|   %reduce = f32[] get-tuple-element(%reduce.1), index=0
//|   %reduce_1 = s32[] get-tuple-element(%reduce.1), index=1
//|   %reshape = f32[1]{0} reshape(%reduce), frontend_attributes={is_spmd_generated="true"}
//|   %all_gather = f32[2]{0} all-gather(%reshape), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[1]{0} reshape(%reduce_1), frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_1 = s32[2]{0} all-gather(%reshape_1), channel_id=2, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = (f32[], s32[]) reduce(%all_gather, %all_gather_1, %low, %zero), dimensions={0}, to_apply=reduce_body
//|   ROOT %v0.1 = s32[] get-tuple-element(%v0), index=1
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 14 values with 26 elements compared, 2 collectives a device, 8 bytes sent by one device
