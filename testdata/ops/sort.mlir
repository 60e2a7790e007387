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
// RUN: run %s --check
