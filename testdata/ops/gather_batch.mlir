// The same look-up with the ids split: no communication, each device reads its rows of a whole table.
module {
  sdy.mesh @mesh = <["b"=2]>
  func.func public @main(%table: tensor<8x4xf32>, %ids: tensor<6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> tensor<6x4xf32> {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<6x1xi32>) -> tensor<6x4xf32>
    return %0 : tensor<6x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[8,4]{1,0}, s32[3,1]{1,0})->f32[3,4]{1,0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %table = f32[8,4]{1,0} parameter(0), sharding={replicated}
//|   %ids = s32[3,1]{1,0} parameter(1), sharding={devices=[2,1]<=[2]}
//|   ROOT %v0 = f32[3,4]{1,0} gather(%table, %ids), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 118 elements compared, 0 collectives a device, 0 bytes sent by one device
