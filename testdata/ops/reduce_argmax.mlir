// The place of the greatest element along a split dim: the parts are reduced again by the body itself.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<64x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2xi32> {
    %i = stablehlo.iota dim = 0 : tensor<64x2xi32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.reduce(%a init: %lowest), (%i init: %zero) across dimensions = [0] : (tensor<64x2xf32>, tensor<64x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%p: tensor<f32>, %r: tensor<f32>) (%q: tensor<i32>, %s: tensor<i32>) {
      %more = stablehlo.compare GT, %p, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %p, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %first = stablehlo.compare LT, %q, %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %first : tensor<i1>
      %keep = stablehlo.or %more, %tie : tensor<i1>
      %value = stablehlo.select %keep, %p, %r : tensor<i1>, tensor<f32>
      %place = stablehlo.select %keep, %q, %s : tensor<i1>, tensor<i32>
      stablehlo.return %value, %place : tensor<f32>, tensor<i32>
    }
    return %0#1 : tensor<2xi32>
  }
}
// RUN: compile %s
// RUN: run %s --check
