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
//! testdata/ops/convolution_groups_of_one.mlir:4:65: warning: result 0 is held as P(None, 'y'), not as P('x', 'y'): XLA keeps only axes that divide a boundary, and 2 parts do not divide the 1 elements of dim 0 [annotation]
//!   func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x4xf32>) -> (tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
//!                                                                 ^~~~~~~~~~~~~~~
//! help: make the dim a multiple of 2, such as 2
