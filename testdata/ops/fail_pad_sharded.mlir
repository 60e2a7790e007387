// Padding along a split dim shifts rows between devices; that is refused.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %z: tensor<f32>) -> tensor<10xf32> {
    %0 = stablehlo.pad %a, %z, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
    return %0 : tensor<10xf32>
  }
}
// RUN: compile %s
//! testdata/ops/fail_pad_sharded.mlir:5:10: error: pad: works along a dim that is sharded over 'x', and needs parts of the neighbours' blocks (piece factor); such exchanges are not made [cannot-partition]
//!     %0 = stablehlo.pad %a, %z, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
//!          ^~~~~~~~~~~~~
//! help: constrain the operand to a sharding that leaves the dim whole
// EXIT: 5
