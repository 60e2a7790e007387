// Two devices come to one collective with different groups.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
      %p = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
      %1 = "stablehlo.case"(%i) ({
        %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
        stablehlo.return %2 : tensor<8xf32>
      }, {
        %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
        stablehlo.return %2 : tensor<8xf32>
      }) : (tensor<i32>) -> tensor<8xf32>
      %4 = stablehlo.slice %1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
      sdy.return %4 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: run %s
//! testdata/run/fail_group_mismatch.mlir:12:14: error: devices 0 and 1 wait for each other in different collectives [group-mismatch]
//!         %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_hand...
//!              ^~~~~~~~~~~~~~~~~~~~~~
//! testdata/run/fail_group_mismatch.mlir:9:14: note: device 0 waits in all-gather `2` with the group {0,1} for 16 bytes
//!         %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_hand...
//!              ^~~~~~~~~~~~~~~~~~~~~~
//! testdata/run/fail_group_mismatch.mlir:12:14: note: device 1 waits in all-gather `2` with the group {1,0} for 16 bytes
//!         %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_hand...
//!              ^~~~~~~~~~~~~~~~~~~~~~
// EXIT: 7
