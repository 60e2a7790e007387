// One annotation is enough: it spreads to the values made from it, and back to those it is made from.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.tanh %a : tensor<8x4xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    return %1 : tensor<8x6xf32>
  }
}
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P('x', None))
//| def main(a: f32[8, 4] @ P('x', None), w: f32[4, 6] @ P(None, None)):
//|     v0: f32[8, 4] @ P('x', None) = lax.tanh(a)
//|     v1: f32[8, 6] @ P('x', None) = lax.dot_general(v0, w, dimension_numbers=(((1,), (0,)), ((), ())))
//|     return v1
// RUN: explain %s --value=0
//| '0' in main, line 5: tanh f32[8,4]
//|   sharding P('x', None)
//|   dim 0 on x: from result 0 (line 4), backward through dot_general '1' in step 2
//| P('x', None) on x=2: 2 x 1 blocks of 4 x 4 each on 1 device
//|         0:4
//|       +-----+
//|   0:4 | 0   |
//|       +-----+
//|   4:8 | 1   |
//|       +-----+
