// The gradient of a kernel over split rows: each device sums over its own rows, and the sums are added up.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<3x8x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}, %g: tensor<8x8x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}) -> tensor<3x3x3x4xf32> {
    %0 = stablehlo.convolution(%a, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<8x8x2x4xf32>) -> tensor<3x3x3x4xf32>
    return %0 : tensor<3x3x3x4xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
