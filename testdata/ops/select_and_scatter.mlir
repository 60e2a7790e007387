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
//| HloModule main_spmd, entry_computation_layout={(f32[1,6]{1,0}, f32[1,3]{1,0})->f32[1,6]{1,0}}, num_partitions=4
//|
//| select_and_scatter_body {
//|   %p = f32[] parameter(0)
//|   %q = f32[] parameter(1)
//|   ROOT %keep = pred[] compare(%p, %q), direction=GE
//| }
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[1,6]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %g = f32[1,3]{1,0} parameter(1), sharding={devices=[4,1]<=[4]}
//|   %zero = f32[] constant(0)
//|   ROOT %v0 = f32[1,6]{1,0} select-and-scatter(%a, %g, %zero), window={size=1x2 stride=1x2}, select=select_and_scatter_body, scatter=add.f32
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 20 values with 88 elements compared, 0 collectives a device, 0 bytes sent by one device
