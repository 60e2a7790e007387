// Five rows split over two devices, then wanted in columns: 3 and 2 rows, the gap is filled and cut off again.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<5x4xf32>) -> tensor<5x4xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<5x4xf32>
    %1 = stablehlo.tanh %0 : tensor<5x4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x"}]> : tensor<5x4xf32>
    return %2 : tensor<5x4xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| spmdc.flat(1)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P(None, 'x'))
//| def main(a: f32[5, 4] @ P(None, None)):
//|     a_1: f32[5, 4] @ P('x', None) = spmdc.op('reshard', a, move='slice', dim=0, to_dim=0, axes=((0, 1, 2),))
//|     v0: f32[5, 4] @ P('x', None) = spmdc.constraint(a_1, "<@mesh, [{'x'}, {}]>")
//|     v0_1: f32[5, 4] @ P(None, 'x') = spmdc.op('reshard', v0, move='all_to_all', dim=0, to_dim=1, axes=((0, 1, 2),))
//|     v1: f32[5, 4] @ P(None, 'x') = lax.tanh(v0_1)
//|     v2: f32[5, 4] @ P(None, 'x') = spmdc.constraint(v1, "<@mesh, [{}, {'x'}]>")
//|     return v2
// RUN: explain %s --value=1
//| '1' in main, line 6: tanh f32[5,4]
//|   sharding P(None, 'x')
//|   dim 1 on x: from constraint 2 (line 7)
//|   x of '0' does not reach it through tanh '1': dim 1 has this axis already
//| P(None, 'x') on x=2: 1 x 2 blocks of 5 x 2 each on 1 device
//|         0:2   2:4
//|       +-----+-----+
//|   0:5 | 0   | 1   |
//|       +-----+-----+
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 120 elements compared, 1 collective a device, 24 bytes sent by one device
