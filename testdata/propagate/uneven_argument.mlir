// An argument of 5 elements over 2 devices: arguments and results must divide, so they are whole; values within stay split.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<5xf32> {
    %0 = stablehlo.tanh %a : tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P(None,))
//| def main(a: f32[5] @ P(None,)):
//|     v0: f32[5] @ P('x',) = lax.tanh(a)
//|     return v0
//! testdata/propagate/uneven_argument.mlir:4:27: warning: argument 'a' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 2 parts do not divide the 5 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<5xf32> {
//!                           ^
//! help: make the dim a multiple of 2, such as 6
// RUN: explain %s --value=0
//| '0' in main, line 5: tanh f32[5]
//|   sharding P('x',)
//|   dim 0 on x: from arg 0 (line 4), through tanh '0' in step 1
//| P('x',) on x=2: 2 blocks of 3 each on 1 device
//|       +---+
//|   0:3 | 0 |
//|       +---+
//|   3:5 | 1 |
//|       +---+
//! testdata/propagate/uneven_argument.mlir:4:27: warning: argument 'a' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 2 parts do not divide the 5 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<5xf32> {
//!                           ^
//! help: make the dim a multiple of 2, such as 6
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 40 elements compared, 1 collective a device, 12 bytes sent by one device
//! testdata/propagate/uneven_argument.mlir:4:27: warning: argument 'a' is held as P(None,), not as P('x',): XLA keeps only axes that divide a boundary, and 2 parts do not divide the 5 elements of dim 0 [annotation]
//!   func.func public @main(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<5xf32> {
//!                           ^
//! help: make the dim a multiple of 2, such as 6
