// Rows in groups, each with a matrix of its own (as an expert's tokens): split by rows and by groups; rows of no group are
// zero. And the gradients, where rows are contracted group by group; there the rows are split unevenly.
module {
  sdy.mesh @mesh = <["x"=2, "y"=3]>
  func.func public @main(%a: tensor<10x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<6x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}, %d: tensor<10x5xf32>) -> (tensor<10x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<6x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<10x4xf32>) {
    %sizes = stablehlo.constant dense<[3, 0, 4, 1, 0, 1]> : tensor<6xi32>
    %0 = "chlo.ragged_dot"(%a, %b, %sizes) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<6x4x5xf32>, tensor<6xi32>) -> tensor<10x5xf32>
    %rows = sdy.sharding_constraint %d <@mesh, [{"y"}, {}]> : tensor<10x5xf32>
    %1 = "chlo.ragged_dot"(%a, %rows, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<10x5xf32>, tensor<6xi32>) -> tensor<6x4x5xf32>
    %2 = "chlo.ragged_dot"(%rows, %b, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x5xf32>, tensor<6x4x5xf32>, tensor<6xi32>) -> tensor<10x4xf32>
    return %0, %1, %2 : tensor<10x5xf32>, tensor<6x4x5xf32>, tensor<10x4xf32>
  }
}
// RUN: run %s --check
//| same numbers on 6 devices: 84 values with 2916 elements compared, 5 collectives a device, 629 bytes sent by one device
// RUN: explain %s
//| program main on mesh x=2 x y=3 (6 devices)
//|
//| arguments
//|   a: f32[10,4]  P('x', None)  per device f32[5,4]
//|   b: f32[6,4,5]  P('y', None, None)  per device f32[2,4,5]
//|   d: f32[10,5]  P(None, None)  per device f32[10,5]
//| results
//|   0: f32[10,5]  P('x', None)  per device f32[5,5]
//|   1: f32[6,4,5]  P('x', None, None)  per device f32[3,4,5]
//|   2: f32[10,4]  P(None, None)  per device f32[10,4]
//|
//| collectives: 5, most bytes first
//|   c3 all-gather of f32[4,5] over y (2 groups of 3): 160 B per device
//|      line 9: ragged_dot '1' needs operand 1 'rows' as P(None, None), and it is P('y', None)
//|      because of constraint rows (line 8), arg 0 'a' (line 5), result 1 (line 5)
//|      to send less: constraint 'rows' as P(None, None): 426.67 B sent in all instead of 629.33 B, memory 2.47 KiB instead of 2.66 KiB
//|   c1 all-reduce of f32[5,5] over y (2 groups of 3): 133.33 B per device
//|      line 7: ragged_dot '0' combines along a dim that is split over 'y': each device has a part of the result, and it is wanted as P('x', None)
//|      because of result 0 (line 5), arg 0 'a' (line 5), arg 1 'b' (line 5)
//|      no other placement of these sends less without more work (1 tried)
//|   c4 reduce-scatter of f32[12,4] over y (2 groups of 3): 128 B per device
//|      line 10: ragged_dot '2' combines along a dim that is split over 'y': each device has a part of the result, and it is wanted as P('y', None)
//|      because of constraint rows (line 8), arg 1 'b' (line 5)
//|      to send less: constraint 'rows' as P(None, None): 426.67 B sent in all instead of 629.33 B, memory 2.47 KiB instead of 2.66 KiB
//|   c5 all-gather of f32[4,4] over y (2 groups of 3): 128 B per device
//|      line 10: result 2 is wanted as P(None, None), and '2' is P('y', None)
//|      because of constraint rows (line 8)
//|      to send less: constraint 'rows' as P(None, None): 426.67 B sent in all instead of 629.33 B, memory 2.47 KiB instead of 2.66 KiB
//|   c2 all-gather of f32[5,4] over x (3 groups of 2): 80 B per device
//|      line 9: ragged_dot '1' needs operand 0 'a' as P(None, None), and it is P('x', None)
//|      because of arg 0 'a' (line 5), constraint rows (line 8), result 1 (line 5)
//|      to send less: constraint 'rows' as P('x', None): 420.00 B sent in all instead of 629.33 B, memory 2.49 KiB instead of 2.66 KiB
//|
//| sent by one device: 629.33 B
//|   all-gather: 368 B
//|   all-reduce: 133.33 B
//|   reduce-scatter: 128 B
//|   over x: 80 B (all-gather)
//|   over y: 549.33 B (all-gather 288 B, all-reduce 133.33 B, reduce-scatter 128 B)
//| memory of one device: peak 2.66 KiB at 'select_3' (line 9)
//|   arguments 440 B, results 500 B, of them in arguments' memory 0 B, temporaries 1.75 KiB
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 6 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=3]>
//|   func.func public @main(%a: tensor<10x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<6x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}, %d: tensor<10x5xf32>) -> (tensor<10x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<6x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<10x4xf32>) {
//|     %sizes = stablehlo.constant dense<[3, 0, 4, 1, 0, 1]> : tensor<6xi32>
//|     %0 = "chlo.ragged_dot"(%a, %b, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<6x4x5xf32>, tensor<6xi32>) -> tensor<10x5xf32>
//|     %rows = sdy.sharding_constraint %d <@mesh, [{"y"}, {}]> : tensor<10x5xf32>
//|     %1 = "chlo.ragged_dot"(%a, %rows, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<10x5xf32>, tensor<6xi32>) -> tensor<6x4x5xf32>
//|     %2 = "chlo.ragged_dot"(%rows, %b, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x5xf32>, tensor<6x4x5xf32>, tensor<6xi32>) -> tensor<10x4xf32>
//|     return %0, %1, %2 : tensor<10x5xf32>, tensor<6x4x5xf32>, tensor<10x4xf32>
//|   }
//| }
