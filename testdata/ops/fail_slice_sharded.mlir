// A slice along a split dim needs rows of the neighbours; that is refused, not gathered in silence.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
    %0 = stablehlo.slice %a [1:5, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
// RUN: compile %s
//! testdata/ops/fail_slice_sharded.mlir:5:10: error: slice: works along a dim that is sharded over 'x', and needs parts of the neighbours' blocks (piece factor); such exchanges are not made [cannot-partition]
//!     %0 = stablehlo.slice %a [1:5, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
//!          ^~~~~~~~~~~~~~~
//! help: constrain the operand to a sharding that leaves the dim whole
// EXIT: 5
