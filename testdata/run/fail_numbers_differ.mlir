// A region that promises the same value on every device, and gives each its own.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
      %1 = stablehlo.tanh %b : tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: run %s --check
//! testdata/run/fail_numbers_differ.mlir:6:12: error: `1` on device 1: element [0] is 0.462117165, expected 0.703905582 (off by 0.242, allowed 3.36e-07) [numbers-differ]
//!       %1 = stablehlo.tanh %b : tensor<4xf32>
//!            ^~~~~~~~~~~~~~
//! spmdc: note: the device holds [0:4] of it, and 4 of these 4 elements differ
//! testdata/run/fail_numbers_differ.mlir:5:5: note: it is a shard of `0`
//!     %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
//!     ^~
//! help: out_specs of result 0 leave out 'x', so that devices along it should hold the same: name it there, or combine their values first (psum, pmean, pmax)
// EXIT: 6
