// Two arguments want different axes for one dim: nobody wins, the sum takes neither, and the plan finds the cheapest way.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2, 2), ('x', 'y'), axis_types=(Auto, Auto))
//| @jit(out_shardings=P(None, None))
//| def main(a: f32[8, 4] @ P('x', None), b: f32[8, 4] @ P('y', None)):
//|     v0: f32[8, 4] @ P(None, None) = lax.add(a, b)
//|     return v0
// RUN: explain %s
//| program main on mesh x=2 x y=2 (4 devices)
//|
//| arguments
//|   a: f32[8,4]  P('x', None)  per device f32[4,4]
//|   b: f32[8,4]  P('y', None)  per device f32[4,4]
//| results
//|   0: f32[8,4]  P(None, None)  per device f32[8,4]
//|
//| collectives: 2, most bytes first
//|   c1 collective-permute of f32[4,4] over x, y: 64 B per device
//|      line 5: add '0' needs operand 1 'b' as P('x', None), and it is P('y', None)
//|      because of arg 1 'b' (line 4), arg 0 'a' (line 4)
//|      to send less: arg 1 'b' as P('x', None): 0 B sent in all instead of 128 B, memory 192 B instead of 384 B
//|   c2 all-gather of f32[4,4] over x (2 groups of 2): 64 B per device
//|      line 5: add '0' comes out as P('x', None), and is wanted as P(None, None)
//|      because of arg 0 'a' (line 4), arg 1 'b' (line 4)
//|      to send less: arg 1 'b' as P('x', None): 0 B sent in all instead of 128 B, memory 192 B instead of 384 B
//|
//| sent by one device: 128 B
//|   all-gather: 64 B
//|   collective-permute: 64 B
//|   over x: 64 B (all-gather)
//|   over x,y: 64 B (collective-permute)
//| memory of one device: peak 384 B at '0' (line 5)
//|   arguments 128 B, results 128 B, of them in arguments' memory 0 B, temporaries 128 B
//| add '0' (line 5) is computed by several devices: 16 flops on each, 2.0 times its share
// RUN: explain %s --trace-propagation
//| step 0: 'a' dim 0 on x, from arg 0 (line 4)
//| step 0: 'b' dim 0 on y, from arg 1 (line 4)
//| conflict at 'a' (line 4): y of 'b' does not reach it through add '0': the dim is on x already
//| conflict at 'b' (line 4): x of 'a' does not reach it through add '0': the dim is on y already
//| conflict at '0' (line 5): x of 'a' does not reach it through add '0': 'b' has y on the same dim, and neither wins
//| conflict at '0' (line 5): y of 'b' does not reach it through add '0': 'a' has x on the same dim, and neither wins
//| nobody decided: 1 of 3 arrays, which no annotation reaches
// RUN: explain %s --value=0
//| '0' in main, line 5: add f32[8,4]
//|   sharding P(None, None)
//|   nobody decided: no annotation reaches it
//|   x of 'a' does not reach it through add '0': 'b' has y on the same dim, and neither wins
//|   y of 'b' does not reach it through add '0': 'a' has x on the same dim, and neither wins
//| P(None, None) on x=2 x y=2: one block of 8 x 4 on 4 devices
//|         0:4
//|       +-----+
//|   0:8 | 0-3 |
//|       +-----+
