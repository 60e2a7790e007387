// The bits of each element as another type; parts of an element stay together.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xi32>, tensor<8x2xi16>) {
    %0 = stablehlo.bitcast_convert %a : (tensor<8xf32>) -> tensor<8xi32>
    %1 = stablehlo.bitcast_convert %0 : (tensor<8xi32>) -> tensor<8x2xi16>
    return %0, %1 : tensor<8xi32>, tensor<8x2xi16>
  }
}
// RUN: compile %s
// RUN: run %s --check
