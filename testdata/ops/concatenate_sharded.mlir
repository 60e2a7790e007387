// Joining along a split dim: each device collects the rows of its block of the result.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<12xf32> {
    %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
