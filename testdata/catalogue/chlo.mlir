// CHLO's ops as MLIR prints them, read and printed.
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: tensor<4xcomplex<f32>>, %a: tensor<10x4xf32>, %b: tensor<6x4x5xf32>, %sizes: tensor<6xi32>) {
    %0 = chlo.acos %arg0 : tensor<4xf32> -> tensor<4xf32>
    %1 = chlo.acosh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %2 = chlo.asin %arg0 : tensor<4xf32> -> tensor<4xf32>
    %3 = chlo._asin_acos_kernel %arg3 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %4 = chlo.asinh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %5 = chlo.atan %arg0 : tensor<4xf32> -> tensor<4xf32>
    %6 = chlo.atanh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %7 = chlo.bessel_i1e %arg0 : tensor<4xf32> -> tensor<4xf32>
    %8 = chlo.cosh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %9 = chlo.digamma %arg0 : tensor<4xf32> -> tensor<4xf32>
    %10 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
    %11 = chlo.erf_inv %arg0 : tensor<4xf32> -> tensor<4xf32>
    %12 = chlo.erfc %arg0 : tensor<4xf32> -> tensor<4xf32>
    %13 = chlo.lgamma %arg0 : tensor<4xf32> -> tensor<4xf32>
    %14 = chlo.sinh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %15 = chlo.square %arg0 : tensor<4xf32> -> tensor<4xf32>
    %16 = chlo.tan %arg0 : tensor<4xf32> -> tensor<4xf32>
    %17 = chlo.conj %arg3 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %18 = chlo.is_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %19 = chlo.is_neg_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %20 = chlo.is_pos_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %21 = chlo.next_after %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %22 = chlo.polygamma %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %23 = chlo.zeta %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %24 = chlo.mulhi %arg1, %arg1 : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    %25 = chlo.broadcast_add %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %26 = chlo.broadcast_atan2 %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %27 = chlo.broadcast_divide %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %28 = chlo.broadcast_maximum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %29 = chlo.broadcast_minimum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %30 = chlo.broadcast_multiply %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %31 = chlo.broadcast_next_after %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %32 = chlo.broadcast_polygamma %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %33 = chlo.broadcast_power %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %34 = chlo.broadcast_remainder %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %35 = chlo.broadcast_subtract %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %36 = chlo.broadcast_zeta %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %37 = chlo.broadcast_and %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %38 = chlo.broadcast_or %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %39 = chlo.broadcast_xor %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %40 = chlo.broadcast_shift_left %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %41 = chlo.broadcast_shift_right_arithmetic %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %42 = chlo.broadcast_shift_right_logical %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %43 = chlo.broadcast_compare %arg0, %arg0 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %44 = chlo.broadcast_complex %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %45 = chlo.broadcast_select %arg2, %arg0, %arg0 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %46 = chlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    %48 = "chlo.ragged_dot"(%a, %b, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<6x4x5xf32>, tensor<6xi32>) -> tensor<10x5xf32>
    return
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: tensor<4xcomplex<f32>>, %a: tensor<10x4xf32>, %b: tensor<6x4x5xf32>, %sizes: tensor<6xi32>) {
//|     %0 = "chlo.acos"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %1 = "chlo.acosh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %2 = "chlo.asin"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %3 = chlo._asin_acos_kernel %arg3 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
//|     %4 = "chlo.asinh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %5 = "chlo.atan"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %6 = "chlo.atanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %7 = "chlo.bessel_i1e"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %8 = "chlo.cosh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %9 = "chlo.digamma"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %10 = "chlo.erf"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %11 = "chlo.erf_inv"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %12 = "chlo.erfc"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %13 = "chlo.lgamma"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %14 = "chlo.sinh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
//|     %15 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
//|     %16 = stablehlo.tan %arg0 : tensor<4xf32>
//|     %17 = chlo.conj %arg3 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
//|     %18 = "chlo.is_inf"(%arg0) : (tensor<4xf32>) -> tensor<4xi1>
//|     %19 = "chlo.is_neg_inf"(%arg0) : (tensor<4xf32>) -> tensor<4xi1>
//|     %20 = "chlo.is_pos_inf"(%arg0) : (tensor<4xf32>) -> tensor<4xi1>
//|     %21 = "chlo.next_after"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %22 = "chlo.polygamma"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %23 = "chlo.zeta"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %24 = "chlo.mulhi"(%arg1, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %25 = chlo.broadcast_add %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %26 = chlo.broadcast_atan2 %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %27 = chlo.broadcast_divide %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %28 = chlo.broadcast_maximum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %29 = chlo.broadcast_minimum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %30 = chlo.broadcast_multiply %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %31 = chlo.broadcast_next_after %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %32 = chlo.broadcast_polygamma %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %33 = chlo.broadcast_power %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %34 = chlo.broadcast_remainder %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %35 = chlo.broadcast_subtract %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %36 = chlo.broadcast_zeta %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %37 = chlo.broadcast_and %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %38 = chlo.broadcast_or %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %39 = chlo.broadcast_xor %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %40 = chlo.broadcast_shift_left %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %41 = chlo.broadcast_shift_right_arithmetic %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %42 = chlo.broadcast_shift_right_logical %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
//|     %43 = chlo.broadcast_compare %arg0, %arg0 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
//|     %44 = chlo.broadcast_complex %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
//|     %45 = chlo.broadcast_select %arg2, %arg0, %arg0 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %46 = chlo.constant dense<1.000000e+00> : tensor<f32>
//|     %47 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
//|     %values, %indices = "chlo.top_k"(%arg0) <{k = 2 : i64}> : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
//|     %48 = "chlo.ragged_dot"(%a, %b, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<6x4x5xf32>, tensor<6xi32>) -> tensor<10x5xf32>
//|     return
//|   }
//| }
