// Types and propagation ask for no devices. A device's program is made for 2^24 of them at most.
module {
  sdy.mesh @m = <["x"=33554432]>
  func.func @main(%x: tensor<67108864xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<67108864xf32> {
    %0 = stablehlo.negate %x : tensor<67108864xf32>
    return %0 : tensor<67108864xf32>
  }
}
// RUN: compile --stop-after=propagate %s
// RUN: compile %s
