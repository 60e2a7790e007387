// A text that knows devices by their numbers goes only where its axes number them as before.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
    %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// RUN: run --check %s --mesh=data=2,model=2 --in 'a=P(_,model)'
//| same numbers on 4 devices: 20 values with 288 elements compared, 2 collectives a device, 96 bytes sent by one device
// RUN: run --check %s --mesh=x=2,y=3
//! testdata/specs/fail_mesh_numbers.mlir:5:10: error: the text counts the devices of its mesh x=2 x y=2, and the mesh x=2 x y=3 numbers them in another way [mesh-mismatch]
//!     %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : ...
//!          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: run --check %s --mesh=y=2,x=2
//! testdata/specs/fail_mesh_numbers.mlir:5:10: error: the text counts the devices of its mesh x=2 x y=2, and the mesh y=2 x x=2 numbers them in another way [mesh-mismatch]
//!     %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : ...
//!          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
