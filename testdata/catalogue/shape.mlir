// Ops of StableHLO that move, cut, arrange and combine elements, read and printed.
func.func @main(%x: tensor<4x8xf32>, %i: tensor<i32>, %s: tensor<2x1xi32>, %c: tensor<4x8xcomplex<f32>>, %z: tensor<f32>, %l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<[1.0, 0x7F800000, -0.5, 0x7FC00000]> : tensor<4xf32>
  %1 = stablehlo.iota dim = 0 : tensor<4xi32>
  %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  %4 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %5 = stablehlo.broadcast %x, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %6 = stablehlo.slice %x [0:2, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>
  %7 = stablehlo.pad %x, %z, low = [0, 1], high = [1, 1], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x10xf32>
  %8 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %9 = stablehlo.reverse %x, dims = [0] : tensor<4x8xf32>
  %10 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %11 = stablehlo.dynamic_update_slice %x, %10, %i, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %12 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %13 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %40 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %40 : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x7xf32>
  %14 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %40 = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %40 : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %15 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%p: tensor<f32>):
    %40 = stablehlo.negate %p : tensor<f32>
    stablehlo.return %40 : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %16 = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  %17 = "stablehlo.scatter"(%x, %s, %16) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %18 = "stablehlo.select_and_scatter"(%x, %x, %z) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %40 = stablehlo.compare GE, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %40 : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %40 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %40 : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %19 = stablehlo.bitcast_convert %x : (tensor<4x8xf32>) -> tensor<4x8xi32>
  %20 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %21 = stablehlo.dot %20, %x : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %22 = stablehlo.cholesky %20, lower = true : tensor<4x4xf32>
  %23 = "stablehlo.triangular_solve"(%20, %20) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %24 = stablehlo.fft %c, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  %25 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x8x8x4xf32>
  %26 = "stablehlo.torch_index_select"(%x, %s) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x1x8xf32>
  %27 = "stablehlo.einsum"(%20, %x) <{einsum_config = "ab,bc->ac"}> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %12 : tensor<4xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module {
//|   func.func public @main(%x: tensor<4x8xf32>, %i: tensor<i32>, %s: tensor<2x1xi32>, %c: tensor<4x8xcomplex<f32>>, %z: tensor<f32>, %l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>) -> (tensor<4xf32>) {
//|     %0 = stablehlo.constant dense<[1.0, 0x7F800000, -0.5, 0x7FC00000]> : tensor<4xf32>
//|     %1 = stablehlo.iota dim = 0 : tensor<4xi32>
//|     %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
//|     %3 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
//|     %4 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
//|     %5 = stablehlo.broadcast %x, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
//|     %6 = stablehlo.slice %x [0:2, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>
//|     %7 = stablehlo.pad %x, %z, low = [0, 1], high = [1, 1], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x10xf32>
//|     %8 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
//|     %9 = stablehlo.reverse %x, dims = [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
//|     %10 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
//|     %11 = "stablehlo.dynamic_update_slice"(%x, %10, %i, %i) : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
//|     %12 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
//|     ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
//|       %add = stablehlo.add %lhs, %rhs : tensor<f32>
//|       stablehlo.return %add : tensor<f32>
//|     }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
//|     %13 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %40 = stablehlo.add %p, %q : tensor<f32>
//|       stablehlo.return %40 : tensor<f32>
//|     }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x7xf32>
//|     %14 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %40 = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
//|       stablehlo.return %40 : tensor<i1>
//|     }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
//|     %15 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
//|     ^bb0(%p: tensor<f32>):
//|       %40 = stablehlo.negate %p : tensor<f32>
//|       stablehlo.return %40 : tensor<f32>
//|     }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
//|     %16 = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
//|     %17 = "stablehlo.scatter"(%x, %s, %16) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       stablehlo.return %q : tensor<f32>
//|     }) : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<4x8xf32>
//|     %18 = "stablehlo.select_and_scatter"(%x, %x, %z) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %40 = stablehlo.compare GE, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
//|       stablehlo.return %40 : tensor<i1>
//|     }, {
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %40 = stablehlo.add %p, %q : tensor<f32>
//|       stablehlo.return %40 : tensor<f32>
//|     }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
//|     %19 = stablehlo.bitcast_convert %x : (tensor<4x8xf32>) -> tensor<4x8xi32>
//|     %20 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
//|     %21 = stablehlo.dot_general %20, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
//|     %22 = "stablehlo.cholesky"(%20) <{lower = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
//|     %23 = "stablehlo.triangular_solve"(%20, %20) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
//|     %24 = "stablehlo.fft"(%c) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
//|     %25 = stablehlo.convolution (%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x8x8x4xf32>
//|     %26 = "stablehlo.torch_index_select"(%x, %s) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x1x8xf32>
//|     %27 = "stablehlo.einsum"(%20, %x) <{einsum_config = "ab,bc->ac"}> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
//|     return %12 : tensor<4xf32>
//|   }
//| }
