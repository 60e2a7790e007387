// One instance of every kind of op with a rule: what docs/rules.md shows. Sizes differ, so that dims can be told apart.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<12x6xf32>, %p: tensor<8x12xi1>, %i: tensor<5x1xi32>, %n: tensor<i32>, %u: tensor<5x12xf32>, %w: tensor<8x3xf32>) -> tensor<8x12xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %iota = stablehlo.iota dim = 1 : tensor<8x12xf32>
    %elementwise = stablehlo.add %a, %iota : tensor<8x12xf32>
    %select = stablehlo.select %p, %elementwise, %a : tensor<8x12xi1>, tensor<8x12xf32>
    %constraint = sdy.sharding_constraint %select <@mesh, [{"x"}, {?}]> : tensor<8x12xf32>
    %broadcast = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<8x12xf32>) -> tensor<8x4x12xf32>
    %reshape = stablehlo.reshape %a : (tensor<8x12xf32>) -> tensor<4x24xf32>
    %transpose = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    %dot = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x6xf32>) -> tensor<8x6xf32>
    %reduce = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<8xf32>
    %slice = stablehlo.slice %a [0:8, 2:7] : (tensor<8x12xf32>) -> tensor<8x5xf32>
    %pad = stablehlo.pad %a, %zero, low = [0, 1], high = [0, 2], interior = [0, 0] : (tensor<8x12xf32>, tensor<f32>) -> tensor<8x15xf32>
    %concatenate = stablehlo.concatenate %a, %w, dim = 1 : (tensor<8x12xf32>, tensor<8x3xf32>) -> tensor<8x15xf32>
    %reverse = stablehlo.reverse %a, dims = [1] : tensor<8x12xf32>
    %dynamic_slice = stablehlo.dynamic_slice %a, %n, %n, sizes = [8, 5] : (tensor<8x12xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
    %dynamic_update_slice = stablehlo.dynamic_update_slice %a, %w, %n, %n : (tensor<8x12xf32>, tensor<8x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x12xf32>
    %gather = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 12>}> : (tensor<8x12xf32>, tensor<5x1xi32>) -> tensor<5x12xf32>
    %scatter = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%s: tensor<f32>, %t: tensor<f32>):
      %sum = stablehlo.add %s, %t : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<8x12xf32>, tensor<5x1xi32>, tensor<5x12xf32>) -> tensor<8x12xf32>
    return %constraint : tensor<8x12xf32>
  }
}
