// Pooling over a split dim needs the next rows of the neighbour; an uneven dim is filled with the initial value.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<10x3xf32>) -> tensor<5x3xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%0, %lowest) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %m = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x3xf32>
    return %1 : tensor<5x3xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
