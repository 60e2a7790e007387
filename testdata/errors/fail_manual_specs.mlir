// The block in the region is not the argument's block under in_shardings.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
      sdy.return %b : tensor<2xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_manual_specs.mlir:5:10: error: manual_computation: operand 0 is f32[8] outside and f32[2] inside, which is not its block under P('x',) with manual axes {x} [shard-map-specs]
//!     %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
//!          ^~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
