// A manual region sees its arguments only.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    %c = stablehlo.add %a, %y : tensor<2xf32>
    sdy.return %c : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// RUN: compile %s
//! testdata/errors/fail_region_isolated.mlir:5:28: error: %y is defined outside of the region of sdy.manual_computation, which sees its arguments only [undefined-value]
//!     %c = stablehlo.add %a, %y : tensor<2xf32>
//!                            ^~
//! help: make it an operand, with an in_sharding
// EXIT: 3
