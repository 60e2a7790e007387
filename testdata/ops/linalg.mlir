// Matrices are needed whole, and their batch stays split.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<4x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<4x3x2xf32>) -> tensor<4x3x2xf32> {
    %0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
    %1 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %2 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %3 = stablehlo.compare EQ, %1, %2, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %4 = stablehlo.convert %3 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<4x3x3xf32>
    %6 = stablehlo.add %0, %5 : tensor<4x3x3xf32>
    %7 = stablehlo.cholesky %6, lower = true : tensor<4x3x3xf32>
    %8 = "stablehlo.triangular_solve"(%7, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
    return %8 : tensor<4x3x2xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[1,3,3]{2,1,0}, f32[1,3,2]{2,1,0})->f32[1,3,2]{2,1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[1,3,3]{2,1,0} parameter(0), sharding={devices=[4,1,1]<=[4]}
//|   %b = f32[1,3,2]{2,1,0} parameter(1), sharding={devices=[4,1,1]<=[4]}
//|   %v0 = f32[1,3,3]{2,1,0} dot(%a, %a), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2}
//|   %v1 = s32[3,3]{1,0} iota(), iota_dimension=0
//|   %v2 = s32[3,3]{1,0} iota(), iota_dimension=1
//|   %v3 = pred[3,3]{1,0} compare(%v1, %v2), direction=EQ
//|   %v4 = f32[3,3]{1,0} convert(%v3)
//|   %v5 = f32[1,3,3]{2,1,0} broadcast(%v4), dimensions={1,2}
//|   %v6 = f32[1,3,3]{2,1,0} add(%v0, %v5)
//|   %v7 = f32[1,3,3]{2,1,0} cholesky(%v6), lower=true
//|   ROOT %v8 = f32[1,3,2]{2,1,0} triangular-solve(%v7, %b), left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 48 values with 396 elements compared, 0 collectives a device, 0 bytes sent by one device
