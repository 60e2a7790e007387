// Results that nothing uses may be left without a name.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.add %a, %a : tensor<4xf32>
  "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
