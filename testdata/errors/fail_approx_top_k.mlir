// What is wrong with a call of ApproxTopK is told at it.
module {
  func.func private @gt(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func public @main(%x: tensor<4x8xf32>, %p: tensor<4x8xi32>, %q: tensor<4x9xi32>, %none: tensor<f32>, %nowhere: tensor<i32>) -> tensor<4x3xf32> {
    %0:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 9 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x9xf32>, tensor<4x9xi32>)
    %1:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 1.5 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %2:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 2 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %3:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = 7 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %4:2 = stablehlo.custom_call @ApproxTopK(%x, %q, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %5:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %nowhere, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<i32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %6 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    %7 = stablehlo.custom_call @ApproxTopK(%x, %p, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>) -> tensor<4x3xf32>
    %8:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %9:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    return %1#0 : tensor<4x3xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_approx_top_k.mlir:8:12: error: approx_top_k: top_k = 9 elements of dim 1 of f32[4,8] [shape]
//!     %0:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:9:12: error: approx_top_k: recall_target = 1.5, expected more than 0 and at most 1 [arguments]
//!     %1:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:10:12: error: approx_top_k: reduction_dim [2] names dim 2, but the array has 2 dims [axis-range]
//!     %2:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:11:12: error: approx_top_k: reduction_input_size_override = 7, expected -1 or at least the 8 elements of the dim [arguments]
//!     %3:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:12:12: error: approx_top_k: got f32[4,8] and s32[4,9], expected arrays of one shape [broadcast-shape]
//!     %4:2 = stablehlo.custom_call @ApproxTopK(%x, %q, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:13:12: error: approx_top_k: operand 2 is s32[], expected f32[] for where f32[4,8] has no element [dtype]
//!     %5:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %nowhere, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:14:10: error: approx_top_k: the comparator should take two scalars of each array's element type and return one pred [dtype]
//!     %6 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32,...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:15:10: error: approx_top_k: got 3 operands, expected a scalar behind the arrays for each of them [operand-count]
//!     %7 = stablehlo.custom_call @ApproxTopK(%x, %p, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : ...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:16:12: error: approx_top_k: got 0 regions, expected 1 [operand-count]
//!     %8:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_di...
//!            ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k.mlir:17:12: error: approx_top_k: result 0 is declared f32[4,8], but the op makes f32[4,3] [result-type]
//!     %9:2 = stablehlo.custom_call @ApproxTopK(%x, %p, %none, %nowhere) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_targ...
//!            ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
