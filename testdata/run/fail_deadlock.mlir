// Device 0 waits for a sum that device 1 never takes part in.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
      %p = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
      %1 = "stablehlo.case"(%i) ({
        %2 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %3 = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %3 : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %2 : tensor<4xf32>
      }, {
        stablehlo.return %b : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: run %s
//! testdata/run/fail_deadlock.mlir:9:14: error: 1 of 2 devices waits in collectives that nobody else comes to [deadlock]
//!         %2 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ...
//!              ^~~~~~~~~~~~~~~~~~~~~~
//! testdata/run/fail_deadlock.mlir:9:14: note: device {0} in all-reduce `2`: missing 1 (has finished)
//!         %2 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ...
//!              ^~~~~~~~~~~~~~~~~~~~~~
// EXIT: 7
