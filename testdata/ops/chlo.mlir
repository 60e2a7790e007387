// CHLO's functions are written out in HLO's ops.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi1>) {
    %0 = chlo.erfc %a : tensor<8xf32> -> tensor<8xf32>
    %1 = chlo.erfc %b : tensor<8xf64> -> tensor<8xf64>
    %2 = chlo.next_after %a, %0 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
    %3 = chlo.asinh %2 : tensor<8xf32> -> tensor<8xf32>
    %4 = chlo.atan %3 : tensor<8xf32> -> tensor<8xf32>
    %5 = chlo.sinh %4 : tensor<8xf32> -> tensor<8xf32>
    %6 = chlo.cosh %5 : tensor<8xf32> -> tensor<8xf32>
    %7 = chlo.acosh %6 : tensor<8xf32> -> tensor<8xf32>
    %8 = stablehlo.tanh %7 : tensor<8xf32>
    %9 = chlo.asin %8 : tensor<8xf32> -> tensor<8xf32>
    %10 = chlo.atanh %8 : tensor<8xf32> -> tensor<8xf32>
    %11 = chlo.acos %8 : tensor<8xf32> -> tensor<8xf32>
    %12 = stablehlo.add %9, %10 : tensor<8xf32>
    %13 = stablehlo.add %12, %11 : tensor<8xf32>
    %14 = chlo.is_inf %13 : tensor<8xf32> -> tensor<8xi1>
    %15 = chlo.is_pos_inf %13 : tensor<8xf32> -> tensor<8xi1>
    %16 = chlo.is_neg_inf %13 : tensor<8xf32> -> tensor<8xi1>
    %17 = stablehlo.or %15, %16 : tensor<8xi1>
    %18 = stablehlo.xor %14, %17 : tensor<8xi1>
    return %0, %1, %13, %18 : tensor<8xf32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi1>
  }
}
// RUN: run %s --check
//| same numbers on 4 devices: 100 values with 200 elements compared, 0 collectives a device, 0 bytes sent by one device
