// Half of an axis: the first of its two factors splits rows, the second one splits columns.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}) -> tensor<4x8xf32> {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((4,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P(None, None))
//| def main(a: spmdc.placed(f32[8, 4], "<@mesh, [{'x':(1)2}, {'x':(2)2}]>")):
//|     v0: spmdc.placed(f32[4, 8], "<@mesh, [{'x':(2)2}, {'x':(1)2}]>") = lax.transpose(a, permutation=(1, 0))
//|     return v0
// RUN: explain %s --value=0
//| '0' in main, line 5: transpose f32[4,8]
//|   sharding P('x:(2)2', 'x:(1)2')
//|   dim 0 on x:(2)2: from arg 0 (line 4), forward through transpose '0' from 'a' in step 1
//|   dim 1 on x:(1)2: from arg 0 (line 4), forward through transpose '0' from 'a' in step 1
//| P('x:(2)2', 'x:(1)2') on x=4: 2 x 2 blocks of 2 x 4 each on 1 device
//|         0:4   4:8
//|       +-----+-----+
//|   0:2 | 0   | 2   |
//|       +-----+-----+
//|   2:4 | 1   | 3   |
//|       +-----+-----+
// RUN: run %s --check
//| same numbers on 4 devices: 20 values with 384 elements compared, 2 collectives a device, 96 bytes sent by one device
