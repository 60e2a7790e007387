// What has no elements is not sent.
module {
  sdy.mesh @mesh = <["d"=4]>
  func.func @main(%a: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    return %a : tensor<0x8xf32>
  }
}
// RUN: compile %s
// RUN: run %s --check
