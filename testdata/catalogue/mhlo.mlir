// What only MHLO has, read and printed.
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xui32>) {
    %0 = mhlo.acos %arg0 : tensor<4xf32>
    %1 = mhlo.acosh %arg0 : tensor<4xf32>
    %2 = mhlo.asin %arg0 : tensor<4xf32>
    %3 = mhlo.asinh %arg0 : tensor<4xf32>
    %4 = mhlo.atanh %arg0 : tensor<4xf32>
    %5 = mhlo.cosh %arg0 : tensor<4xf32>
    %6 = mhlo.erf %arg0 : tensor<4xf32>
    %7 = mhlo.sinh %arg0 : tensor<4xf32>
    %8 = mhlo.copy %arg0 : tensor<4xf32>
    %9 = mhlo.bitcast %arg0 : (tensor<4xf32>) -> tensor<4xf32>
    %10 = mhlo.mulhi %arg1, %arg1 : tensor<4xi32>
    %11 = "mhlo.stochastic_convert"(%arg0, %arg2) : (tensor<4xf32>, tensor<4xui32>) -> tensor<4xf32>
    %values, %indices = mhlo.topk(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    return
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xui32>) {
//|     %0 = "chlo.acos"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %1 = "chlo.acosh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %2 = "chlo.asin"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %3 = "chlo.asinh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %4 = "chlo.atanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %5 = "chlo.cosh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %6 = "chlo.erf"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %7 = "chlo.sinh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %8 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xf32>
//|     %9 = mhlo.bitcast %arg0 : (tensor<4xf32>) -> tensor<4xf32>
//|     %10 = "chlo.mulhi"(%arg1, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %11 = "mhlo.stochastic_convert"(%arg0, %arg2) : (tensor<4xf32>, tensor<4xui32>) -> tensor<4xf32>
//|     %values, %indices = mhlo.topk (%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
//|     return
//|   }
//| }
