// A group says that its values are sharded alike; nothing of it is left in the per-device program.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
    sdy.sharding_group %a group_id=0 : tensor<8xf32>
    %0 = stablehlo.negate %b : tensor<8xf32>
    sdy.sharding_group %0 group_id=0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
