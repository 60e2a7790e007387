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
// RUN: run %s --check
