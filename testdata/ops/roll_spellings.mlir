// A roll as a slice of the array beside itself, and as blocks of the array put back into it: each device sends one row, not all.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%x: tensor<16x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c15 = stablehlo.constant dense<15> : tensor<i32>
    %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<16x3xi32>, tensor<16x3xi32>) -> tensor<32x3xi32>
    %1 = stablehlo.dynamic_slice %0, %c15, %c0, sizes = [16, 3] : (tensor<32x3xi32>, tensor<i32>, tensor<i32>) -> tensor<16x3xi32>
    %2 = stablehlo.slice %x [1:16, 0:3] : (tensor<16x3xi32>) -> tensor<15x3xi32>
    %3 = stablehlo.broadcast_in_dim %c0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %4 = "stablehlo.scatter"(%x, %3, %2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<16x3xi32>, tensor<1xi32>, tensor<15x3xi32>) -> tensor<16x3xi32>
    %5 = stablehlo.dynamic_update_slice %x, %2, %c15, %c0 : (tensor<16x3xi32>, tensor<15x3xi32>, tensor<i32>, tensor<i32>) -> tensor<16x3xi32>
    return %1, %4, %5 : tensor<16x3xi32>, tensor<16x3xi32>, tensor<16x3xi32>
  }
}
// RUN: explain %s
//| program main on mesh x=4 (4 devices)
//|
//| arguments
//|   x: s32[16,3]  P('x', None)  per device s32[4,3]
//| results
//|   0: s32[16,3]  P('x', None)  per device s32[4,3]
//|   1: s32[16,3]  P('x', None)  per device s32[4,3]
//|   2: s32[16,3]  P('x', None)  per device s32[4,3]
//|
//| collectives: 2, most bytes first
//|   c1 collective-permute of s32[1,3] over x: 12 B per device
//|      line 8: dynamic_slice '1' works along a dim that is split, 'x' as P('x', None), and needs parts of other devices' blocks
//|      because of arg 0 'x' (line 4), result 0 (line 4)
//|      no other placement of these sends less without more work (2 tried)
//|   c2 collective-permute of s32[1,3] over x: 12 B per device
//|      line 11: scatter '4' works along a dim that is split, 'x' as P('x', None), and needs parts of other devices' blocks
//|      because of arg 0 'x' (line 4), result 1 (line 4)
//|      no other placement of these sends less without more work (2 tried)
//|
//| sent by one device: 24 B
//|   collective-permute: 24 B
//|   over x: 24 B (collective-permute)
//| memory of one device: peak 348 B at 'compare' (line 11)
//|   arguments 48 B, results 144 B, of them in arguments' memory 0 B, temporaries 156 B
// RUN: run --check %s
//| same numbers on 4 devices: 24 values with 288 elements compared, 2 collectives a device, 24 bytes sent by one device
