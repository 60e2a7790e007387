// Reversing a split dim sends every row to another device; that is refused.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/ops/fail_reverse_sharded.mlir:5:10: error: reverse: works along a dim that is sharded over 'x', and needs parts of the neighbours' blocks (piece factor); such exchanges are not made [cannot-partition]
//!     %0 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
//!          ^~~~~~~~~~~~~~~~~
//! help: constrain the operand to a sharding that leaves the dim whole
// EXIT: 5
