// A roll by one along a split dim, as jnp.roll writes it: every device sends one row to the next, the last one to the first.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x3xf32> {
    %0 = stablehlo.slice %a [15:16, 0:3] : (tensor<16x3xf32>) -> tensor<1x3xf32>
    %1 = stablehlo.slice %a [0:15, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x3xf32>, tensor<15x3xf32>) -> tensor<16x3xf32>
    return %2 : tensor<16x3xf32>
  }
}
// RUN: compile %s --stop-after=plan --emit=spmd
//| spmdc.flat(1)
//| mesh = make_mesh((4,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P('x', None))
//| def main(a: f32[16, 3] @ P('x', None)):
//|     v2: f32[16, 3] @ P('x', None) = spmdc.op('take_ranges', a, dimension=0, start_indices=(15, 0), limit_indices=(16, 15))
//|     return v2
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,3]{1,0})->f32[4,3]{1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[4,3]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
//|   %slice = f32[1,3]{1,0} slice(%a), slice={[3:4], [0:3]}, frontend_attributes={is_spmd_generated="true"}
//|   %collective_permute = f32[1,3]{1,0} collective-permute(%slice), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}, frontend_attributes={is_spmd_generated="true"}
//|   %slice_1 = f32[3,3]{1,0} slice(%a), slice={[0:3], [0:3]}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v2 = f32[4,3]{1,0} concatenate(%collective_permute, %slice_1), dimensions={0}, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 12 values with 144 elements compared, 1 collective a device, 12 bytes sent by one device
