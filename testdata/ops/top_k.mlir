// The greatest of a split row: each device chooses among its own, then all choose among the chosen.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<2x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
    %values, %places = chlo.top_k(%a, k = 3) : tensor<2x64xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
    return %values, %places : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
// RUN: compile %s
// RUN: run %s --check
