// A roll of an uneven dim, and a value that wraps around at both ends: ranges of one value, each moved by itself.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<10xf32>) -> (tensor<10xf32>, tensor<12xf32>) {
    %x = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<10xf32>
    %0 = stablehlo.slice %x [7:10] : (tensor<10xf32>) -> tensor<3xf32>
    %1 = stablehlo.slice %x [0:7] : (tensor<10xf32>) -> tensor<7xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3xf32>, tensor<7xf32>) -> tensor<10xf32>
    %3 = stablehlo.slice %x [9:10] : (tensor<10xf32>) -> tensor<1xf32>
    %4 = stablehlo.slice %x [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %5 = stablehlo.concatenate %3, %x, %4, dim = 0 : (tensor<1xf32>, tensor<10xf32>, tensor<1xf32>) -> tensor<12xf32>
    return %2, %5 : tensor<10xf32>, tensor<12xf32>
  }
}
// RUN: explain %s
//| program main on mesh x=4 (4 devices)
//|
//| arguments
//|   a: f32[10]  P('x:(1)2',)  per device f32[5]
//| results
//|   0: f32[10]  P(None,)  per device f32[10]
//|   1: f32[12]  P('x',)  per device f32[3]
//|
//| collectives: 8, most bytes first
//|   c8 all-gather of f32[3] over x (1 group of 4): 36 B per device
//|      line 8: result 0 is wanted as P(None,), and '2' is P('x',)
//|      because of constraint x (line 5)
//|      to send less: constraint 'x' as P(None,): 0 B sent in all instead of 92 B, memory 168 B instead of 164 B
//|   c1 all-gather of f32[5] over x:(1)2 (2 groups of 2): 20 B per device
//|      line 5: the constraint 'x' asks for P('x',), and 'a' is P('x:(1)2',)
//|      because of constraint x (line 5)
//|      to send less: constraint 'x' as P(None,): 0 B sent in all instead of 92 B, memory 168 B instead of 164 B
//|   c3 collective-permute of f32[1] over x: 4 B per device
//|      line 8: concatenate '2' works along a dim that is split, 'x' as P('x',), and needs parts of other devices' blocks
//|      because of constraint x (line 5)
//|      to send less: constraint 'x' as P(None,): 0 B sent in all instead of 92 B, memory 168 B instead of 164 B
//|      and 3 alike: c5, c6, c7; 16 B together
//|   c4 collective-permute of f32[3] over x: 12 B per device
//|      line 8: concatenate '2' works along a dim that is split, 'x' as P('x',), and needs parts of other devices' blocks
//|      because of constraint x (line 5)
//|      to send less: constraint 'x' as P(None,): 0 B sent in all instead of 92 B, memory 168 B instead of 164 B
//|   c2 collective-permute of f32[2] over x: 8 B per device
//|      line 8: concatenate '2' works along a dim that is split, 'x' as P('x',), and needs parts of other devices' blocks
//|      because of constraint x (line 5)
//|      to send less: constraint 'x' as P(None,): 0 B sent in all instead of 92 B, memory 168 B instead of 164 B
//|
//| sent by one device: 92 B
//|   all-gather: 56 B
//|   collective-permute: 36 B
//|   over x: 72 B (all-gather 36 B, collective-permute 36 B)
//|   over x:(1)2: 20 B (all-gather)
//| memory of one device: peak 164 B at 'pad' (line 5)
//|   arguments 20 B, results 52 B, of them in arguments' memory 0 B, temporaries 92 B
// RUN: run %s --check
//| same numbers on 4 devices: 32 values with 184 elements compared, 8 collectives a device, 92 bytes sent by one device
