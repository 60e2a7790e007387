// Two arguments want different axes for one dim. GSPMD takes the one with more blocks, Shardy neither.
module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s --propagation=gspmd --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2, 4), ('x', 'y'), axis_types=(Auto, Auto))
//| @jit(out_shardings=P('y', None))
//| def main(a: f32[8, 4] @ P('x', None), b: f32[8, 4] @ P('y', None)):
//|     v0: f32[8, 4] @ P('y', None) = lax.add(a, b)
//|     return v0
// RUN: explain %s --compare-propagation
//| first at '0' in main, line 5
//| shardy: P(None, None)
//|   nobody decided: no annotation reaches it
//|   x of 'a' does not reach it through add '0': 'b' has y on the same dim, and neither wins
//|   y of 'b' does not reach it through add '0': 'a' has x on the same dim, and neither wins
//| gspmd: P('y', None)
//|   dim 0 on y: from arg 1 (line 4), forward through add '0' from 'b' in step 1
//|   x of 'a' does not reach it through add '0': the dim is on y already
//| 1 of 3 values differ
//| shardy sends 128 B per device in 2 collectives, peak 288 B
//| gspmd sends 32 B per device in 1 collectives, peak 192 B
