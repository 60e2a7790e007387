// The elementwise ops of StableHLO, read and printed.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>) -> tensor<4xf32> {
  %a1 = stablehlo.abs %x : tensor<4xf32>
  %a2 = stablehlo.cbrt %x : tensor<4xf32>
  %a3 = stablehlo.ceil %x : tensor<4xf32>
  %a4 = stablehlo.cosine %x : tensor<4xf32>
  %a5 = stablehlo.count_leading_zeros %i : tensor<4xi32>
  %a6 = stablehlo.exponential %x : tensor<4xf32>
  %a7 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  %a8 = stablehlo.floor %x : tensor<4xf32>
  %a9 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  %a10 = stablehlo.log %x : tensor<4xf32>
  %a11 = stablehlo.log_plus_one %x : tensor<4xf32>
  %a12 = stablehlo.logistic %x : tensor<4xf32>
  %a13 = stablehlo.negate %x : tensor<4xf32>
  %a14 = stablehlo.not %i : tensor<4xi32>
  %a15 = stablehlo.popcnt %i : tensor<4xi32>
  %a16 = stablehlo.round_nearest_afz %x : tensor<4xf32>
  %a17 = stablehlo.round_nearest_even %x : tensor<4xf32>
  %a18 = stablehlo.rsqrt %x : tensor<4xf32>
  %a19 = stablehlo.sign %x : tensor<4xf32>
  %a20 = stablehlo.sine %x : tensor<4xf32>
  %a21 = stablehlo.sqrt %x : tensor<4xf32>
  %a22 = stablehlo.tan %x : tensor<4xf32>
  %a23 = stablehlo.tanh %x : tensor<4xf32>
  %a24 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  %a25 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf32>
  %a26 = stablehlo.complex %x, %y : tensor<4xcomplex<f32>>
  %a27 = stablehlo.real %a26 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %a28 = stablehlo.imag %a26 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %b1 = stablehlo.add %x, %y : tensor<4xf32>
  %b2 = stablehlo.atan2 %x, %y : tensor<4xf32>
  %b3 = stablehlo.divide %x, %y : tensor<4xf32>
  %b4 = stablehlo.maximum %x, %y : tensor<4xf32>
  %b5 = stablehlo.minimum %x, %y : tensor<4xf32>
  %b6 = stablehlo.multiply %x, %y : tensor<4xf32>
  %b7 = stablehlo.power %x, %y : tensor<4xf32>
  %b8 = stablehlo.remainder %x, %y : tensor<4xf32>
  %b9 = stablehlo.subtract %x, %y : tensor<4xf32>
  %b10 = stablehlo.and %i, %j : tensor<4xi32>
  %b11 = stablehlo.or %i, %j : tensor<4xi32>
  %b12 = stablehlo.xor %i, %j : tensor<4xi32>
  %b13 = stablehlo.shift_left %i, %j : tensor<4xi32>
  %b14 = stablehlo.shift_right_arithmetic %i, %j : tensor<4xi32>
  %b15 = stablehlo.shift_right_logical %i, %j : tensor<4xi32>
  %b16 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %b17 = stablehlo.select %b16, %x, %y : tensor<4xi1>, tensor<4xf32>
  %b18 = stablehlo.clamp %x, %y, %x : tensor<4xf32>
  return %b18 : tensor<4xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>) -> (tensor<4xf32>) {
//|     %a1 = stablehlo.abs %x : tensor<4xf32>
//|     %a2 = stablehlo.cbrt %x : tensor<4xf32>
//|     %a3 = stablehlo.ceil %x : tensor<4xf32>
//|     %a4 = stablehlo.cosine %x : tensor<4xf32>
//|     %a5 = stablehlo.count_leading_zeros %i : tensor<4xi32>
//|     %a6 = stablehlo.exponential %x : tensor<4xf32>
//|     %a7 = stablehlo.exponential_minus_one %x : tensor<4xf32>
//|     %a8 = stablehlo.floor %x : tensor<4xf32>
//|     %a9 = "stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<4xi1>
//|     %a10 = stablehlo.log %x : tensor<4xf32>
//|     %a11 = stablehlo.log_plus_one %x : tensor<4xf32>
//|     %a12 = stablehlo.logistic %x : tensor<4xf32>
//|     %a13 = stablehlo.negate %x : tensor<4xf32>
//|     %a14 = stablehlo.not %i : tensor<4xi32>
//|     %a15 = stablehlo.popcnt %i : tensor<4xi32>
//|     %a16 = stablehlo.round_nearest_afz %x : tensor<4xf32>
//|     %a17 = stablehlo.round_nearest_even %x : tensor<4xf32>
//|     %a18 = stablehlo.rsqrt %x : tensor<4xf32>
//|     %a19 = stablehlo.sign %x : tensor<4xf32>
//|     %a20 = stablehlo.sine %x : tensor<4xf32>
//|     %a21 = stablehlo.sqrt %x : tensor<4xf32>
//|     %a22 = stablehlo.tan %x : tensor<4xf32>
//|     %a23 = stablehlo.tanh %x : tensor<4xf32>
//|     %a24 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
//|     %a25 = stablehlo.reduce_precision %x, format = e5m10 : (tensor<4xf32>) -> tensor<4xf32>
//|     %a26 = "stablehlo.complex"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
//|     %a27 = "stablehlo.real"(%a26) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
//|     %a28 = "stablehlo.imag"(%a26) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
//|     %b1 = stablehlo.add %x, %y : tensor<4xf32>
//|     %b2 = stablehlo.atan2 %x, %y : tensor<4xf32>
//|     %b3 = stablehlo.divide %x, %y : tensor<4xf32>
//|     %b4 = stablehlo.maximum %x, %y : tensor<4xf32>
//|     %b5 = stablehlo.minimum %x, %y : tensor<4xf32>
//|     %b6 = stablehlo.multiply %x, %y : tensor<4xf32>
//|     %b7 = stablehlo.power %x, %y : tensor<4xf32>
//|     %b8 = stablehlo.remainder %x, %y : tensor<4xf32>
//|     %b9 = stablehlo.subtract %x, %y : tensor<4xf32>
//|     %b10 = stablehlo.and %i, %j : tensor<4xi32>
//|     %b11 = stablehlo.or %i, %j : tensor<4xi32>
//|     %b12 = stablehlo.xor %i, %j : tensor<4xi32>
//|     %b13 = stablehlo.shift_left %i, %j : tensor<4xi32>
//|     %b14 = stablehlo.shift_right_arithmetic %i, %j : tensor<4xi32>
//|     %b15 = stablehlo.shift_right_logical %i, %j : tensor<4xi32>
//|     %b16 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
//|     %b17 = "stablehlo.select"(%b16, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %b18 = stablehlo.clamp %x, %y, %x : tensor<4xf32>
//|     return %b18 : tensor<4xf32>
//|   }
//| }
