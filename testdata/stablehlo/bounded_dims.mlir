// Dims with a bound, as StableHLO and as HLO.
module @bounded {
  func.func public @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>> {
    %0 = stablehlo.add %x, %x : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
    return %1 : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @bounded {
//|   func.func public @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> (tensor<4x?xf32, #stablehlo.bounds<?, 8>>) {
//|     %0 = stablehlo.add %x, %x : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
//|     %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
//|     return %1 : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule bounded, entry_computation_layout={(f32[<=8,4]{1,0})->f32[4,<=8]{1,0}}
//|
//| ENTRY main {
//|   %x = f32[<=8,4]{1,0} parameter(0)
//|   %v0 = f32[<=8,4]{1,0} add(%x, %x)
//|   ROOT %v1 = f32[4,<=8]{1,0} transpose(%v0), dimensions={1,0}
//| }
