// Dims with a bound are not partitioned.
module @bounded {
  func.func public @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>> {
    %0 = stablehlo.add %x, %x : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
    return %1 : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  }
}
// RUN: compile %s
//! testdata/errors/fail_bounded_dims.mlir:3:27: error: dim 0 of %x has any size up to 8: such a program is not partitioned [unsupported-feature]
//!   func.func public @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>> {
//!                           ^
//! help: it can be read and printed as HLO and StableHLO: --stop-after=parse --emit=hlo
// EXIT: 5
