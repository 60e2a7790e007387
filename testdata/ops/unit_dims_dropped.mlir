// A dim of size 1 that is split is on one device; before it is dropped or stretched it is brought to all.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<1x3xf32>, %b: tensor<7x1xf32>) -> (tensor<3xf32>, tensor<2x7x4xf32>) {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    %2 = sdy.sharding_constraint %b <@mesh, [{}, {"x"}]> : tensor<7x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<7x1xf32>) -> tensor<2x7x4xf32>
    return %1, %3 : tensor<3xf32>, tensor<2x7x4xf32>
  }
}
// RUN: run %s --check
//| same numbers on 2 devices: 20 values with 286 elements compared, 2 collectives a device, 40 bytes sent by one device
