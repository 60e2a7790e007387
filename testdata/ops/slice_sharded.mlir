// A slice along a split dim: each device sends the rows that others need, and only those.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<11x6xf32>, tensor<5x6xf32>) {
    %0 = stablehlo.slice %a [1:12, 0:6] : (tensor<12x6xf32>) -> tensor<11x6xf32>
    %1 = stablehlo.slice %a [2:12:2, 0:6] : (tensor<12x6xf32>) -> tensor<5x6xf32>
    return %0, %1 : tensor<11x6xf32>, tensor<5x6xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
