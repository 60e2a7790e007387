// Functions that a custom call names are its own, whatever they are called.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {called_computations = [@f, @g], backend_config = "@1 called_computations = []"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%a: tensor<8xf32>) -> (tensor<8xf32>) {
//|     %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo", called_computations = [@f, @g], backend_config = "@1 called_computations = []"}> : (tensor<8xf32>) -> tensor<8xf32>
//|     return %0 : tensor<8xf32>
//|   }
//|   func.func private @f(%a: tensor<8xf32>) -> (tensor<8xf32>) {
//|     %0 = stablehlo.negate %a : tensor<8xf32>
//|     return %0 : tensor<8xf32>
//|   }
//|   func.func private @g(%a: tensor<4xf32>) -> (tensor<4xf32>) {
//|     return %a : tensor<4xf32>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule main, entry_computation_layout={(f32[8]{0})->f32[8]{0}}
//|
//| f {
//|   %a = f32[8]{0} parameter(0)
//|   ROOT %v0 = f32[8]{0} negate(%a)
//| }
//|
//| g {
//|   ROOT %a = f32[4]{0} parameter(0)
//| }
//|
//| ENTRY main {
//|   %a = f32[8]{0} parameter(0)
//|   ROOT %v0 = f32[8]{0} custom-call(%a), custom_call_target="foo", called_computations={f, g}, backend_config="@1 called_computations = []"
//| }
