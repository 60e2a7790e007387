// A batch that groups take apart has one row a group: a dim of one element beside the groups' is not split.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x4xf32>) -> (tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 40 elements compared, 0 collectives a device, 0 bytes sent by one device
