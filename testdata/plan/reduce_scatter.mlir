// The parts of a sum are wanted split: a reduce-scatter sends half of what all-reduce and slice would.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<64x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x6xf32>) -> tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| spmdc.flat(1)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P('x', None))
//| def main(a: f32[8, 64] @ P(None, 'x'), b: f32[64, 6] @ P('x', None)):
//|     v0_partial: spmdc.placed(f32[8, 6], "<@mesh, [{}, {}], unreduced={'x'}>") = lax.dot_general(a, b, dimension_numbers=(((1,), (0,)), ((), ())))
//|     v0: f32[8, 6] @ P('x', None) = spmdc.op('reshard', v0_partial, move='reduce_scatter', dim=0, to_dim=0, axes=((0, 1, 2),))
//|     return v0
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 992 elements compared, 1 collective a device, 96 bytes sent by one device
