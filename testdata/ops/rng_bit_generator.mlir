// Random bits are the same however the array is split: each device makes them all and keeps its block.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<10xui32>) {
    %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<10xui32>)
    %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<10xui32>
    %3 = stablehlo.not %2 : tensor<10xui32>
    return %0, %3 : tensor<2xui64>, tensor<10xui32>
  }
}
// RUN: compile %s
// RUN: run %s --check
