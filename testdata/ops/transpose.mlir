// A transpose permutes dims and with them their shardings.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x8xf32> {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,2]{1,0})->f32[2,4]{1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[4,2]{1,0} parameter(0), sharding={devices=[2,2]<=[4]}
//|   ROOT %v0 = f32[2,4]{1,0} transpose(%a), dimensions={1,0}
//| }
// RUN: explain %s --value=0
//| '0' in main, line 5: transpose f32[4,8]
//|   sharding P('y', 'x')
//|   dim 0 on y: from arg 0 (line 4), forward through transpose '0' from 'a' in step 1
//|   dim 1 on x: from arg 0 (line 4), forward through transpose '0' from 'a' in step 1
//| P('y', 'x') on x=2 x y=2: 2 x 2 blocks of 2 x 4 each on 1 device
//|         0:4   4:8
//|       +-----+-----+
//|   0:2 | 0   | 2   |
//|       +-----+-----+
//|   2:4 | 1   | 3   |
//|       +-----+-----+
// RUN: run %s --check
//| same numbers on 4 devices: 12 values with 96 elements compared, 0 collectives a device, 0 bytes sent by one device
