// Tuples that a text makes are taken apart where it uses them.
func.func @main(%a: tensor<4xf32>, %b: tensor<2xi32>) -> tuple<tensor<2xi32>, tuple<tensor<4xf32>, tensor<2xi32>>> {
  %0 = stablehlo.tuple %a, %b : tuple<tensor<4xf32>, tensor<2xi32>>
  %1 = "stablehlo.tuple"(%0, %a) : (tuple<tensor<4xf32>, tensor<2xi32>>, tensor<4xf32>) -> tuple<tuple<tensor<4xf32>, tensor<2xi32>>, tensor<4xf32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<4xf32>, tensor<2xi32>>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tensor<2xi32>>
  %3 = "stablehlo.get_tuple_element"(%2) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32>
  %4 = stablehlo.add %3, %b : tensor<2xi32>
  %5 = stablehlo.tuple %4, %2 : tuple<tensor<2xi32>, tuple<tensor<4xf32>, tensor<2xi32>>>
  return %5 : tuple<tensor<2xi32>, tuple<tensor<4xf32>, tensor<2xi32>>>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%a: tensor<4xf32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<4xf32>, tensor<2xi32>) {
//|     %4 = stablehlo.add %b, %b : tensor<2xi32>
//|     return %4, %a, %b : tensor<2xi32>, tensor<4xf32>, tensor<2xi32>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule main, entry_computation_layout={(f32[4]{0}, s32[2]{0})->(s32[2]{0}, f32[4]{0}, s32[2]{0})}
//|
//| ENTRY main {
//|   %a = f32[4]{0} parameter(0)
//|   %b = s32[2]{0} parameter(1)
//|   %v4 = s32[2]{0} add(%b, %b)
//|   ROOT %tuple = (s32[2]{0}, f32[4]{0}, s32[2]{0}) tuple(%v4, %a, %b)
//| }
