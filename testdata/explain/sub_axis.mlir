// Where the parts of a value are if half an axis splits one dim and half of it the other.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}) -> tensor<8x4xf32> {
    return %a : tensor<8x4xf32>
  }
}
// RUN: explain %s --value=a
//| 'a' in main, line 4: argument f32[8,4]
//|   sharding P('x:(1)2', 'x:(2)2')
//|   dim 0 on x:(1)2: from arg 0 (line 4)
//|   dim 1 on x:(2)2: from arg 0 (line 4)
//| P('x:(1)2', 'x:(2)2') on x=4: 2 x 2 blocks of 4 x 2 each on 1 device
//|         0:2   2:4
//|       +-----+-----+
//|   0:4 | 0   | 1   |
//|       +-----+-----+
//|   4:8 | 2   | 3   |
//|       +-----+-----+
