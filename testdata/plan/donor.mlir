// Arguments whose memory is given away to any result: once it is known where results are, those of as many bytes take it, and
// what is left is told.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%p: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x64xbf16>, tensor<64x64xf32>) {
    %0 = stablehlo.add %p, %g : tensor<64x64xf32>
    %1 = stablehlo.convert %0 : (tensor<64x64xf32>) -> tensor<64x64xbf16>
    return %1, %0 : tensor<64x64xbf16>, tensor<64x64xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, entry_computation_layout={(f32[16,64]{1,0}, f32[16,64]{1,0})->(bf16[16,64]{1,0}, f32[16,64]{1,0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %p = f32[16,64]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %g = f32[16,64]{1,0} parameter(1), sharding={devices=[4,1]<=[4]}
//|   %v0 = f32[16,64]{1,0} add(%p, %g)
//|   %v1 = bf16[16,64]{1,0} convert(%v0)
//|   ROOT %tuple = (bf16[16,64]{1,0}, f32[16,64]{1,0}) tuple(%v1, %v0)
//| }
//! testdata/plan/donor.mlir:5:126: warning: the memory of donated argument `g` is not used: no result is left that has 4096 bytes on each device [donation]
//! ...> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mes...
//!                                                                                    ^
// RUN: explain %s
//| program main on mesh x=4 (4 devices)
//|
//| arguments
//|   p: f32[64,64]  P('x', None)  per device f32[16,64]
//|   g: f32[64,64]  P('x', None)  per device f32[16,64]
//| results
//|   0: bf16[64,64]  P('x', None)  per device bf16[16,64]
//|   1: f32[64,64]  P('x', None)  per device f32[16,64]
//|
//| collectives: none
//|
//| sent by one device: 0 B
//| memory of one device: peak 10 KiB
//|   arguments 8 KiB, results 6 KiB, of them in arguments' memory 4 KiB, temporaries 0 B
//! testdata/plan/donor.mlir:5:126: warning: the memory of donated argument `g` is not used: no result is left that has 4096 bytes on each device [donation]
//! ...> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mes...
//!                                                                                    ^
