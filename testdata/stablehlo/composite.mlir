// A composite is a call of the function that says what it computes: so jax.export writes chlo's functions.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xi32> {
    %0 = stablehlo.composite "chlo.mulhi" %a, %a {composite_attributes = {eps = 1.0 : f32}, decomposition = @chlo.mulhi.impl, version = 1 : i32} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %1 = "stablehlo.composite"(%0, %a) <{composite_attributes = {}, decomposition = @chlo.mulhi.impl, name = "chlo.mulhi", version = 1 : i32}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @chlo.mulhi.impl(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %c = stablehlo.constant dense<32> : tensor<8xi64>
    %0 = stablehlo.convert %x : (tensor<8xi32>) -> tensor<8xi64>
    %1 = stablehlo.convert %y : (tensor<8xi32>) -> tensor<8xi64>
    %2 = stablehlo.multiply %0, %1 : tensor<8xi64>
    %3 = stablehlo.shift_right_arithmetic %2, %c : tensor<8xi64>
    %4 = stablehlo.convert %3 : (tensor<8xi64>) -> tensor<8xi32>
    return %4 : tensor<8xi32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2]>
//|   func.func public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xi32>) {
//|     %0 = stablehlo.composite "chlo.mulhi" %a, %a {composite_attributes = {eps = 1.0 : f32}, decomposition = @chlo.mulhi.impl, version = 1 : i32} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
//|     %1 = stablehlo.composite "chlo.mulhi" %0, %a {decomposition = @chlo.mulhi.impl, version = 1 : i32} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
//|     return %1 : tensor<8xi32>
//|   }
//|   func.func private @chlo.mulhi.impl(%x: tensor<8xi32>, %y: tensor<8xi32>) -> (tensor<8xi32>) {
//|     %c = stablehlo.constant dense<32> : tensor<8xi64>
//|     %0 = stablehlo.convert %x : (tensor<8xi32>) -> tensor<8xi64>
//|     %1 = stablehlo.convert %y : (tensor<8xi32>) -> tensor<8xi64>
//|     %2 = stablehlo.multiply %0, %1 : tensor<8xi64>
//|     %3 = stablehlo.shift_right_arithmetic %2, %c : tensor<8xi64>
//|     %4 = stablehlo.convert %3 : (tensor<8xi64>) -> tensor<8xi32>
//|     return %4 : tensor<8xi32>
//|   }
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 40 values with 160 elements compared, 0 collectives a device, 0 bytes sent by one device
