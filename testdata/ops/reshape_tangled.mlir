// Dims of 3 and 4 as dims of 4 and 3: no block of the result is a block of the operand, which is whole here, so nothing is sent.
module {
  sdy.mesh @mesh = <["m"=2]>
  func.func @main(%a: tensor<3x4xf32>) -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {}]>}) {
    %0 = stablehlo.reshape %a : (tensor<3x4xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 72 elements compared, 0 collectives a device, 0 bytes sent by one device
