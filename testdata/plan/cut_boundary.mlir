// An axis of 16 on a dim of 8: the boundary is cut to what divides, and nothing is moved for the values in between.
module {
  sdy.mesh @mesh = <["x"=16]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.add %a, %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[1]{0})->f32[1]{0}}, num_partitions=16
//|
//| ENTRY main_spmd {
//|   %a = f32[1]{0} parameter(0), sharding={devices=[8,2]<=[16] last_tile_dim_replicate}
//|   ROOT %v0 = f32[1]{0} add(%a, %a)
//| }
//! testdata/plan/cut_boundary.mlir:4:27: warning: argument 'a' is held as P('x:(1)8',), not as P('x',): XLA keeps only axes that divide a boundary, and 16 parts do not divide the 8 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
//!                           ^
//! help: make the dim a multiple of 16, such as 16
//! testdata/plan/cut_boundary.mlir:4:96: warning: result 0 is held as P('x:(1)8',), not as P('x',): XLA keeps only axes that divide a boundary, and 16 parts do not divide the 8 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
//!                                                                                                ^~~~~~~~~~~~~
//! help: make the dim a multiple of 16, such as 16
// RUN: run %s --check
//| same numbers on 16 devices: 48 values with 48 elements compared, 0 collectives a device, 0 bytes sent by one device
//! testdata/plan/cut_boundary.mlir:4:27: warning: argument 'a' is held as P('x:(1)8',), not as P('x',): XLA keeps only axes that divide a boundary, and 16 parts do not divide the 8 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
//!                           ^
//! help: make the dim a multiple of 16, such as 16
//! testdata/plan/cut_boundary.mlir:4:96: warning: result 0 is held as P('x:(1)8',), not as P('x',): XLA keeps only axes that divide a boundary, and 16 parts do not divide the 8 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
//!                                                                                                ^~~~~~~~~~~~~
//! help: make the dim a multiple of 16, such as 16
