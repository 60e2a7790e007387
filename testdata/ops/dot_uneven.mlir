// A contracted dim of 5 on 2 devices: the padding of the last part is masked to zero before it is summed.
module {
  sdy.mesh @mesh = <["k"=2]>
  func.func public @main(%a: tensor<4x5xf32>, %w: tensor<5x2xf32>) -> tensor<4x2xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{}, {"k"}]> : tensor<4x5xf32>
    %1 = sdy.sharding_constraint %w <@mesh, [{"k"}, {}]> : tensor<5x2xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| spmdc.flat(1)
//| mesh = make_mesh((2,), ('k',), axis_types=(Auto,))
//| @jit(out_shardings=P(None, None))
//| def main(a: f32[4, 5] @ P(None, None), w: f32[5, 2] @ P(None, None)):
//|     a_1: f32[4, 5] @ P(None, 'k') = spmdc.op('reshard', a, move='slice', dim=1, to_dim=0, axes=((0, 1, 2),))
//|     v0: f32[4, 5] @ P(None, 'k') = spmdc.constraint(a_1, "<@mesh, [{}, {'k'}]>")
//|     w_1: f32[5, 2] @ P('k', None) = spmdc.op('reshard', w, move='slice', dim=0, to_dim=0, axes=((0, 1, 2),))
//|     v1: f32[5, 2] @ P('k', None) = spmdc.constraint(w_1, "<@mesh, [{'k'}, {}]>")
//|     v2_partial: spmdc.placed(f32[4, 2], "<@mesh, [{}, {}], unreduced={'k'}>") = lax.dot_general(v0, v1, dimension_numbers=(((1,), (0,)), ((), ())))
//|     v2: f32[4, 2] @ P(None, None) = spmdc.op('reshard', v2_partial, move='all_reduce', dim=0, to_dim=0, axes=((0, 1, 2),))
//|     return v2
// RUN: run %s --check
//| same numbers on 2 devices: 12 values with 122 elements compared, 1 collective a device, 32 bytes sent by one device
