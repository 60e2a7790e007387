// The same program with the priorities swapped: now the other argument decides.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}p0]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2, 2), ('x', 'y'), axis_types=(Auto, Auto))
//| @jit(out_shardings=P(None, 'x'))
//| def main(a: f32[8, 4] @ P('x', None), b: f32[8, 4] @ P(None, 'x')):
//|     v0: f32[8, 4] @ P(None, 'x') = lax.add(a, b)
//|     return v0
