// The rule behind every op, the steps in which shardings spread, and where the two algorithms part.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x6xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.tanh %0 : tensor<8x6xf32>
    return %1 : tensor<8x6xf32>
  }
}
// RUN: explain %s --rules
//| dot_general '0': ([i, k], [k, j]) -> ([i, j])  i=8 map, j=6 map, k=4 reduce
//|   'a' P('x', None)
//|   'b' P(None, 'x')
//|   '0' P('x', None)
//| tanh '1': ([i, j]) -> ([i, j])  i=8 map, j=6 map
//|   '0' P('x', None)
//|   '1' P('x', None)
// RUN: explain %s --trace-propagation
//| step 0: 'a' dim 0 on x, from arg 0 (line 4)
//| step 0: 'b' dim 1 on x, from arg 1 (line 4)
//| step 1: '0' dim 0 on x, from arg 0 (line 4), forward through dot_general '0' from 'a'
//| step 2: '1' dim 0 on x, from arg 0 (line 4), forward through tanh '1' from '0'
//| conflict at '0' (line 5): x of 'b' does not reach it through dot_general '0': dim 0 has this axis already
//| nobody decided: 0 of 4 arrays, which no annotation reaches
// RUN: explain %s --compare-propagation
//| 0 of 4 values differ
//| shardy sends 48 B per device in 1 collectives, peak 400 B
//| gspmd sends 48 B per device in 1 collectives, peak 400 B
// RUN: explain %s --value=%0
//| '0' in main, line 5: dot_general f32[8,6]
//|   sharding P('x', None)
//|   dim 0 on x: from arg 0 (line 4), forward through dot_general '0' from 'a' in step 1
//|   x of 'b' does not reach it through dot_general '0': dim 0 has this axis already
//| P('x', None) on x=2: 2 x 1 blocks of 4 x 6 each on 1 device
//|         0:6
//|       +-----+
//|   0:4 | 0   |
//|       +-----+
//|   4:8 | 1   |
//|       +-----+
