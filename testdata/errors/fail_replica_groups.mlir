// A device is in two groups at once.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
      %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %2 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_replica_groups.mlir:6:12: error: all_reduce: device 1 is in two replica groups [replica-groups]
//!       %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> ({
//!            ^~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
