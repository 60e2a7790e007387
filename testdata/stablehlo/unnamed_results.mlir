// Results that nothing uses may be left without a name.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.add %a, %a : tensor<4xf32>
  "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   sdy.mesh @mesh = <["axis_0"=1]>
//|   func.func public @main(%a: tensor<4xf32>) -> (tensor<4xf32>) {
//|     %add = stablehlo.add %a, %a : tensor<4xf32>
//|     %add_1 = stablehlo.add %a, %a : tensor<4xf32>
//|     %add_2 = stablehlo.add %a, %a : tensor<4xf32>
//|     %custom_call = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<4xf32>
//|     return %a : tensor<4xf32>
//|   }
//| }
