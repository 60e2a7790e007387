// The gradient of pooling: batches stay split, rows that windows cut are put together.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<4x3xf32>) -> tensor<4x6xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%a, %g, %zero) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %keep = stablehlo.compare GE, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %keep : tensor<i1>
    }, {
    ^bb0(%r: tensor<f32>, %s: tensor<f32>):
      %sum = stablehlo.add %r, %s : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
