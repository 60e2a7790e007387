// A flag chooses the first region: it is a case of the flag as a number.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %flag: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0:2 = "stablehlo.if"(%flag) ({
      %1 = stablehlo.add %a, %a : tensor<8xf32>
      "stablehlo.return"(%1, %a) : (tensor<8xf32>, tensor<8xf32>) -> ()
    }, {
      %1 = stablehlo.tanh %a : tensor<8xf32>
      stablehlo.return %a, %1 : tensor<8xf32>, tensor<8xf32>
    }) : (tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>)
    return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=4]>
//|   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %flag: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
//|     %v0.0.index = stablehlo.convert %flag : (tensor<i1>) -> tensor<i32>
//|     %0:2 = "stablehlo.case"(%v0.0.index) ({
//|       %1 = stablehlo.tanh %a : tensor<8xf32>
//|       stablehlo.return %a, %1 : tensor<8xf32>, tensor<8xf32>
//|     }, {
//|       %1 = stablehlo.add %a, %a : tensor<8xf32>
//|       stablehlo.return %1, %a : tensor<8xf32>, tensor<8xf32>
//|     }) : (tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>)
//|     return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
//|   }
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 36 values with 64 elements compared, 0 collectives a device, 0 bytes sent by one device
