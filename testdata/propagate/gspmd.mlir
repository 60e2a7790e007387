// The classic algorithm takes the larger operand's sharding where two disagree; Shardy gives the axis to nobody.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<64x16xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    return %0 : tensor<64x16xf32>
  }
}
// RUN: compile %s --propagation=gspmd --stop-after=propagate
