// Padding along a split dim shifts rows between devices; what is outside of the operand holds the padding value.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %z: tensor<f32>) -> (tensor<10xf32>, tensor<15xf32>) {
    %0 = stablehlo.pad %a, %z, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
    %1 = stablehlo.pad %a, %z, low = [1], high = [-1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<15xf32>
    return %0, %1 : tensor<10xf32>, tensor<15xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
