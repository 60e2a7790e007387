// Rows are sorted where they are; a split sorted dim moves to the rows and back.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x6xf32>, tensor<8x6xi32>) {
    %i = stablehlo.iota dim = 1 : tensor<8x6xi32>
    %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<i32>):
      %less = stablehlo.compare LT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : (tensor<8x6xf32>, tensor<8x6xi32>) -> (tensor<8x6xf32>, tensor<8x6xi32>)
    return %0#0, %0#1 : tensor<8x6xf32>, tensor<8x6xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[8,3]{1,0})->(f32[8,6]{1,0}, s32[8,6]{1,0})}, num_partitions=4
//|
//| sort_body {
//|   %p = f32[] parameter(0)
//|   %q = f32[] parameter(1)
//|   %r = s32[] parameter(2)
//|   %s = s32[] parameter(3)
//|   ROOT %less = pred[] compare(%p, %q), direction=LT, type=TOTALORDER
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[8,3]{1,0} parameter(0), sharding={devices=[1,2,2]<=[4] last_tile_dim_replicate}
//|   %a_1 = f32[8,6]{1,0} all-gather(%a), channel_id=1, replica_groups={{0,2},{1,3}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %i = s32[8,6]{1,0} iota(), iota_dimension=1
//|   %v0 = (f32[8,6]{1,0}, s32[8,6]{1,0}) sort(%a_1, %i), dimensions={1}, is_stable=true, to_apply=sort_body
//|   %v0.0 = f32[8,6]{1,0} get-tuple-element(%v0), index=0
//|   %v0.1 = s32[8,6]{1,0} get-tuple-element(%v0), index=1
//|   ROOT %tuple = (f32[8,6]{1,0}, s32[8,6]{1,0}) tuple(%v0.0, %v0.1)
//| }
//! testdata/ops/sort.mlir:4:27: warning: argument 'a' is held as P(None, 'x:(1)2'), not as P(None, 'x'): XLA keeps only axes that divide a boundary, and 4 parts do not divide the 6 elements of dim 1 [annotation]
//!   func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x6xf32>, tensor<8x6xi32>) {
//!                           ^
//! help: make the dim a multiple of 4, such as 8
// RUN: run %s --check
//| same numbers on 4 devices: 28 values with 1248 elements compared, 1 collective a device, 96 bytes sent by one device
//! testdata/ops/sort.mlir:4:27: warning: argument 'a' is held as P(None, 'x:(1)2'), not as P(None, 'x'): XLA keeps only axes that divide a boundary, and 4 parts do not divide the 6 elements of dim 1 [annotation]
//!   func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x6xf32>, tensor<8x6xi32>) {
//!                           ^
//! help: make the dim a multiple of 4, such as 8
