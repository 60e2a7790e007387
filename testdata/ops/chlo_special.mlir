// CHLO's error, gamma and Bessel functions are approximations in HLO's ops, checked against others of the same numbers.
module {
  sdy.mesh @mesh = <["x"=3]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf64>, tensor<8xbf16>) {
    %0 = chlo.lgamma %a : tensor<8xf32> -> tensor<8xf32>
    %1 = chlo.digamma %0 : tensor<8xf32> -> tensor<8xf32>
    %2 = chlo.bessel_i1e %1 : tensor<8xf32> -> tensor<8xf32>
    %3 = chlo.erf_inv %2 : tensor<8xf32> -> tensor<8xf32>
    %4 = stablehlo.exponential %3 : tensor<8xf32>
    %5 = stablehlo.add %4, %4 : tensor<8xf32>
    %6 = chlo.zeta %5, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
    %7 = stablehlo.ceil %4 : tensor<8xf32>
    %8 = chlo.polygamma %7, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
    %9 = stablehlo.add %6, %8 : tensor<8xf32>
    %10 = chlo.lgamma %b : tensor<8xf64> -> tensor<8xf64>
    %11 = chlo.digamma %10 : tensor<8xf64> -> tensor<8xf64>
    %12 = chlo.bessel_i1e %11 : tensor<8xf64> -> tensor<8xf64>
    %13 = chlo.erf_inv %12 : tensor<8xf64> -> tensor<8xf64>
    %14 = stablehlo.exponential %13 : tensor<8xf64>
    %15 = stablehlo.add %14, %14 : tensor<8xf64>
    %16 = chlo.zeta %15, %14 : tensor<8xf64>, tensor<8xf64> -> tensor<8xf64>
    %17 = chlo.polygamma %16, %14 : tensor<8xf64>, tensor<8xf64> -> tensor<8xf64>
    %18 = stablehlo.add %16, %17 : tensor<8xf64>
    %19 = chlo.lgamma %c : tensor<8xbf16> -> tensor<8xbf16>
    %20 = stablehlo.tanh %19 : tensor<8xbf16>
    %21 = chlo.erf_inv %20 : tensor<8xbf16> -> tensor<8xbf16>
    return %9, %16, %21 : tensor<8xf32>, tensor<8xf64>, tensor<8xbf16>
  }
}
// RUN: run %s --check
//| same numbers on 3 devices: 96 values with 400 elements compared, 3 collectives a device, 84 bytes sent by one device
//| note: made positive, for roots and logarithms of them: 1 random argument
//! testdata/ops/chlo_special.mlir:4:27: warning: argument 'a' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 3 parts do not divide the 8 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c:...
//!                           ^
//! help: make the dim a multiple of 3, such as 9
//! testdata/ops/chlo_special.mlir:4:93: warning: argument 'b' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 3 parts do not divide the 8 elements of dim 0 [annotation]
//! ...public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<8xbf...
//!                                                                                    ^
//! help: make the dim a multiple of 3, such as 9
//! testdata/ops/chlo_special.mlir:4:159: warning: argument 'c' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 3 parts do not divide the 8 elements of dim 0 [annotation]
//! ..., [{"x"}]>}, %b: tensor<8xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf...
//!                                                                                    ^
//! help: make the dim a multiple of 3, such as 9
