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
    %token = stablehlo.create_token : !stablehlo.token
    %12 = "mhlo.add_dependency"(%arg0, %token) : (tensor<4xf32>, !mhlo.token) -> tensor<4xf32>
    %13 = "mhlo.domain"(%arg0) <{entry_metadata = "", exit_metadata = "", kind = #mhlo<kind sharding>}> : (tensor<4xf32>) -> tensor<4xf32>
    %14 = "mhlo.fusion"(%arg0) <{fusion_kind = #mhlo<fusion_kind kLoop>}> ({
    ^bb0(%x: tensor<4xf32>):
      %n = mhlo.negate %x : tensor<4xf32>
      mhlo.return %n : tensor<4xf32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    "mhlo.trace"(%arg0) <{tag = "t"}> : (tensor<4xf32>) -> ()
    return
  }
}
// --- ragged.mlir
func.func @main(%l: tensor<8x4xf32>, %r: tensor<2x4x16xf32>, %g: tensor<2xi32>) -> tensor<8x16xf32> {
  %0 = "mhlo.ragged_dot"(%l, %r, %g) <{precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>], ragged_dot_dimension_numbers = #mhlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<2x4x16xf32>, tensor<2xi32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
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
//|     %token = stablehlo.create_token  : !stablehlo.token
//|     %12 = "mhlo.add_dependency"(%arg0, %token) : (tensor<4xf32>, !stablehlo.token) -> tensor<4xf32>
//|     %13 = "mhlo.domain"(%arg0) <{entry_metadata = "", exit_metadata = "", kind = #mhlo<kind sharding>}> : (tensor<4xf32>) -> tensor<4xf32>
//|     %14 = "mhlo.fusion"(%arg0) <{fusion_kind = #mhlo<fusion_kind kLoop>}> ({
//|     ^bb0(%x: tensor<4xf32>):
//|       %n = stablehlo.negate %x : tensor<4xf32>
//|       stablehlo.return %n : tensor<4xf32>
//|     }) : (tensor<4xf32>) -> tensor<4xf32>
//|     "mhlo.trace"(%arg0) <{tag = "t"}> : (tensor<4xf32>) -> ()
//|     return
//|   }
//| }
// RUN: compile ragged.mlir --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%l: tensor<8x4xf32>, %r: tensor<2x4x16xf32>, %g: tensor<2xi32>) -> (tensor<8x16xf32>) {
//|     %0 = "chlo.ragged_dot"(%l, %r, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<2x4x16xf32>, tensor<2xi32>) -> tensor<8x16xf32>
//|     return %0 : tensor<8x16xf32>
//|   }
//| }
