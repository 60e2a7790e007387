// Ops as XLA's and Shardy's dumps name them: dot, mhlo.copy, sdy.constant, calls that make tuples.
module @dump {
  func.func public @main(%a: tensor<8x4xf32>, %b: tensor<4x2xf32>) -> (tensor<8x2xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = stablehlo.dot %a, %b, precision = [HIGH, HIGH] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %1 = "mhlo.dot"(%a, %b) <{precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision HIGHEST>]}> : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %2 = mhlo.copy %0 : tensor<8x2xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x2xf32>
    %4 = sdy.constant dense<7> : tensor<i32>
    %5 = stablehlo.custom_call @both(%a) {api_version = 4 : i32} : (tensor<8x4xf32>) -> tuple<tensor<8xf32>, tensor<i32>>
    %6 = stablehlo.get_tuple_element %5[0] : (tuple<tensor<8xf32>, tensor<i32>>) -> tensor<8xf32>
    %7 = "stablehlo.get_tuple_element"(%5) <{index = 1 : i32}> : (tuple<tensor<8xf32>, tensor<i32>>) -> tensor<i32>
    %tuple = stablehlo.tuple %6, %7 : tuple<tensor<8xf32>, tensor<i32>>
    %8 = stablehlo.add %4, %7 : tensor<i32>
    return %3, %6, %8 : tensor<8x2xf32>, tensor<8xf32>, tensor<i32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @dump {
//|   func.func public @main(%a: tensor<8x4xf32>, %b: tensor<4x2xf32>) -> (tensor<8x2xf32>, tensor<8xf32>, tensor<i32>) {
//|     %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGH] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
//|     %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
//|     %2 = stablehlo.convert %0 : (tensor<8x2xf32>) -> tensor<8x2xf32>
//|     %3 = stablehlo.add %1, %2 : tensor<8x2xf32>
//|     %4 = stablehlo.constant dense<7> : tensor<i32>
//|     %5:2 = "stablehlo.custom_call"(%a) <{call_target_name = "both", api_version = 4 : i32}> : (tensor<8x4xf32>) -> (tensor<8xf32>, tensor<i32>)
//|     %8 = stablehlo.add %4, %5#1 : tensor<i32>
//|     return %3, %5#0, %8 : tensor<8x2xf32>, tensor<8xf32>, tensor<i32>
//|   }
//| }
