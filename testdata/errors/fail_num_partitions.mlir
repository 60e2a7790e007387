// A program is for at least one device.
module attributes {mhlo.num_partitions = 0 : i32} {
  func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_num_partitions.mlir:2:42: error: mhlo.num_partitions: expected a number of devices [attribute]
//! module attributes {mhlo.num_partitions = 0 : i32} {
//!                                          ^~~~~~~
// EXIT: 3
