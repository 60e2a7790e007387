// The upper half of a product: by the type of twice the width, by halves where there is none.
module {
  sdy.mesh @mesh = <["x"=3]>
  func.func public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<8xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xi32>, tensor<8xui64>, tensor<8xi64>, tensor<8xi8>, tensor<8xui32>) {
    %k = stablehlo.constant dense<1640531527> : tensor<8xi32>
    %l = stablehlo.constant dense<7046029254386353131> : tensor<8xui64>
    %0 = stablehlo.multiply %a, %k : tensor<8xi32>
    %1 = chlo.mulhi %0, %k : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
    %2 = stablehlo.multiply %b, %l : tensor<8xui64>
    %3 = chlo.mulhi %2, %l : tensor<8xui64>, tensor<8xui64> -> tensor<8xui64>
    %4 = stablehlo.bitcast_convert %2 : (tensor<8xui64>) -> tensor<8xi64>
    %5 = stablehlo.bitcast_convert %l : (tensor<8xui64>) -> tensor<8xi64>
    %6 = chlo.mulhi %4, %5 : tensor<8xi64>, tensor<8xi64> -> tensor<8xi64>
    %7 = stablehlo.multiply %c, %c : tensor<8xi8>
    %8 = chlo.mulhi %7, %7 : tensor<8xi8>, tensor<8xi8> -> tensor<8xi8>
    %9 = stablehlo.bitcast_convert %0 : (tensor<8xi32>) -> tensor<8xui32>
    %10 = chlo.mulhi %9, %9 : tensor<8xui32>, tensor<8xui32> -> tensor<8xui32>
    return %1, %3, %6, %8, %10 : tensor<8xi32>, tensor<8xui64>, tensor<8xi64>, tensor<8xi8>, tensor<8xui32>
  }
}
// RUN: run %s --check
//| same numbers on 3 devices: 87 values with 440 elements compared, 5 collectives a device, 150 bytes sent by one device
//! testdata/ops/mulhi.mlir:4:27: warning: argument 'a' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 3 parts do not divide the 8 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c...
//!                           ^
//! help: make the dim a multiple of 3, such as 9
//! testdata/ops/mulhi.mlir:4:93: warning: argument 'b' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 3 parts do not divide the 8 elements of dim 0 [annotation]
//! ...public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<8xi...
//!                                                                                    ^
//! help: make the dim a multiple of 3, such as 9
//! testdata/ops/mulhi.mlir:4:160: warning: argument 'c' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 3 parts do not divide the 8 elements of dim 0 [annotation]
//! ... [{"x"}]>}, %b: tensor<8xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<8xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xi32...
//!                                                                                    ^
//! help: make the dim a multiple of 3, such as 9
