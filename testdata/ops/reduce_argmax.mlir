// The place of the greatest element along a split dim: the parts are reduced again by the body itself.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<64x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2xi32> {
    %i = stablehlo.iota dim = 0 : tensor<64x2xi32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.reduce(%a init: %lowest), (%i init: %zero) across dimensions = [0] : (tensor<64x2xf32>, tensor<64x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%p: tensor<f32>, %r: tensor<f32>) (%q: tensor<i32>, %s: tensor<i32>) {
      %more = stablehlo.compare GT, %p, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %p, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %first = stablehlo.compare LT, %q, %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %first : tensor<i1>
      %keep = stablehlo.or %more, %tie : tensor<i1>
      %value = stablehlo.select %keep, %p, %r : tensor<i1>, tensor<f32>
      %place = stablehlo.select %keep, %q, %s : tensor<i1>, tensor<i32>
      stablehlo.return %value, %place : tensor<f32>, tensor<i32>
    }
    return %0#1 : tensor<2xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[16,2]{1,0})->s32[2]{0}}, num_partitions=4
//|
//| reduce_body {
//|   %p = f32[] parameter(0)
//|   %q = s32[] parameter(1)
//|   %r = f32[] parameter(2)
//|   %s = s32[] parameter(3)
//|   %more = pred[] compare(%p, %r), direction=GT
//|   %same = pred[] compare(%p, %r), direction=EQ
//|   %first = pred[] compare(%q, %s), direction=LT
//|   %tie = pred[] and(%same, %first)
//|   %keep = pred[] or(%more, %tie)
//|   %value = f32[] select(%keep, %p, %r)
//|   %place = s32[] select(%keep, %q, %s)
//|   ROOT %tuple = (f32[], s32[]) tuple(%value, %place)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[16,2]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant = s32[] constant(16), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant), frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[16,2]{1,0} iota(), iota_dimension=0, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[16,2]{1,0} broadcast(%multiply), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %i = s32[16,2]{1,0} add(%iota, %broadcast_in_dim)
//|   %lowest = f32[] constant(-inf)
//|   %zero = s32[] constant(0)
//|   %reduce.1 = (f32[2]{0}, s32[2]{0}) reduce(%a, %i, %lowest, %zero), dimensions={0}, to_apply=reduce_body, frontend_attributes={is_spmd_generated="true"}
//|   %reduce = f32[2]{0} get-tuple-element(%reduce.1), index=0
//|   %reduce_1 = s32[2]{0} get-tuple-element(%reduce.1), index=1
//|   %reshape = f32[1,2]{1,0} reshape(%reduce), frontend_attributes={is_spmd_generated="true"}
//|   %all_gather = f32[4,2]{1,0} all-gather(%reshape), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %reshape_1 = s32[1,2]{1,0} reshape(%reduce_1), frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_1 = s32[4,2]{1,0} all-gather(%reshape_1), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = (f32[2]{0}, s32[2]{0}) reduce(%all_gather, %all_gather_1, %lowest, %zero), dimensions={0}, to_apply=reduce_body
//|   ROOT %v0.1 = s32[2]{0} get-tuple-element(%v0), index=1
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 28 values with 288 elements compared, 2 collectives a device, 48 bytes sent by one device
