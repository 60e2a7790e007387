// Reversing a split dim sends every block to the device on the other side.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
