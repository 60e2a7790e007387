// What instructions say of shardings: constraints, Shardy's collectives, manual regions.
sdy.mesh @mesh = <["x"=2,"y"=4]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %b = sdy.sharding_constraint %a <@mesh, [{"x"}, {?}]> : tensor<8x4xf32>
  %c = sdy.all_gather [{"x"}, {}] %b out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %d = sdy.manual_computation(%c) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"y"} (%e: tensor<2x4xf32>) {
    %f = "stablehlo.all_reduce"(%e) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %z = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %z : tensor<f32>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    sdy.return %f : tensor<2x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %d : tensor<8x4xf32>
}
// RUN: decode %s
//| sharding_constraint 'b'
//| f32[8@x,4]
//| P('x', UNCONSTRAINED) on x=2 x y=4: 2 x 1 blocks of 4 x 4 each on 4 devices
//|         0:4
//|       +-----+
//|   0:4 | 0-3 |
//|       +-----+
//|   4:8 | 4-7 |
//|       +-----+
//| open dims (UNCONSTRAINED, ?) may be split further by propagation
//| device 0: [0:4, 0:4]  x=0, y=0
//| device 1: [0:4, 0:4]  x=0, y=1
//| device 2: [0:4, 0:4]  x=0, y=2
//| device 3: [0:4, 0:4]  x=0, y=3
//| device 4: [4:8, 0:4]  x=1, y=0
//| device 5: [4:8, 0:4]  x=1, y=1
//| device 6: [4:8, 0:4]  x=1, y=2
//| device 7: [4:8, 0:4]  x=1, y=3
//| the same as
//|   HLO          {devices=[2,1,4]<=[8] last_tile_dim_replicate}
//|   HLO, listed  {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}
//|   HLO, named   {mesh['x'=2,'y'=4], [{'x'}, {?}]}
//|   Shardy       #sdy.sharding<@mesh, [{"x"}, {?}]>, sdy.mesh @mesh = <["x"=2, "y"=4]>
//|   JAX          P('x', UNCONSTRAINED)
//|
//| sdy.all_gather 'c'
//| f32[8,4]
//| P(None, None) on x=2 x y=4: one block of 8 x 4 on 8 devices
//|         0:4
//|       +-----+
//|   0:8 | 0-7 |
//|       +-----+
//| device 0: [0:8, 0:4]  x=0, y=0
//| device 1: [0:8, 0:4]  x=0, y=1
//| device 2: [0:8, 0:4]  x=0, y=2
//| device 3: [0:8, 0:4]  x=0, y=3
//| device 4: [0:8, 0:4]  x=1, y=0
//| device 5: [0:8, 0:4]  x=1, y=1
//| device 6: [0:8, 0:4]  x=1, y=2
//| device 7: [0:8, 0:4]  x=1, y=3
//| the same as
//|   HLO          {replicated}
//|   HLO, listed  {replicated}
//|   HLO, named   {mesh['x'=2,'y'=4], [{}, {}]}
//|   Shardy       #sdy.sharding<@mesh, [{}, {}]>, sdy.mesh @mesh = <["x"=2, "y"=4]>
//|   JAX          P(None, None)
//|
//| operand 0 of manual_computation
//| f32[8@y,4]
//| P('y', None) on x=2 x y=4: 4 x 1 blocks of 2 x 4 each on 2 devices
//|         0:4
//|       +-----+
//|   0:2 | 0,4 |
//|       +-----+
//|   2:4 | 1,5 |
//|       +-----+
//|   4:6 | 2,6 |
//|       +-----+
//|   6:8 | 3,7 |
//|       +-----+
//| device 0: [0:2, 0:4]  x=0, y=0
//| device 1: [2:4, 0:4]  x=0, y=1
//| device 2: [4:6, 0:4]  x=0, y=2
//| device 3: [6:8, 0:4]  x=0, y=3
//| device 4: [0:2, 0:4]  x=1, y=0
//| device 5: [2:4, 0:4]  x=1, y=1
//| device 6: [4:6, 0:4]  x=1, y=2
//| device 7: [6:8, 0:4]  x=1, y=3
//| the same as
//|   HLO          {devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}
//|   HLO, listed  {devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}
//|   HLO, named   {mesh['x'=2,'y'=4], [{'y'}, {}]}
//|   Shardy       #sdy.sharding<@mesh, [{"y"}, {}]>, sdy.mesh @mesh = <["x"=2, "y"=4]>
//|   JAX          P('y', None)
//|
//| result 0 of manual_computation
//| f32[8@y,4]
//| P('y', None) on x=2 x y=4: 4 x 1 blocks of 2 x 4 each on 2 devices
//|         0:4
//|       +-----+
//|   0:2 | 0,4 |
//|       +-----+
//|   2:4 | 1,5 |
//|       +-----+
//|   4:6 | 2,6 |
//|       +-----+
//|   6:8 | 3,7 |
//|       +-----+
//| device 0: [0:2, 0:4]  x=0, y=0
//| device 1: [2:4, 0:4]  x=0, y=1
//| device 2: [4:6, 0:4]  x=0, y=2
//| device 3: [6:8, 0:4]  x=0, y=3
//| device 4: [0:2, 0:4]  x=1, y=0
//| device 5: [2:4, 0:4]  x=1, y=1
//| device 6: [4:6, 0:4]  x=1, y=2
//| device 7: [6:8, 0:4]  x=1, y=3
//| the same as
//|   HLO          {devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}
//|   HLO, listed  {devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}
//|   HLO, named   {mesh['x'=2,'y'=4], [{'y'}, {}]}
//|   Shardy       #sdy.sharding<@mesh, [{"y"}, {}]>, sdy.mesh @mesh = <["x"=2, "y"=4]>
//|   JAX          P('y', None)
//|
//| all-reduce 'f'
//|   of f32[2,4] on each device to f32[2,4]; one device sends 48 B
//|   every device gets the sum of its group's arrays
//| 2 groups of 4, 8 devices: over y of x=2 x y=4
//|   group 0: 0 1 2 3
//|   group 1: 4 5 6 7
//| the same as
//|   lists  {{0,1,2,3},{4,5,6,7}}
//|   iota   [2,4]<=[8]
//|   mesh   mesh['x'=2,'y'=4] {'y'}
