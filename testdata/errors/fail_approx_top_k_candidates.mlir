// Without aggregation there would be more candidates than the k that are asked for: as many as the hardware likes.
module {
  func.func private @gt(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func public @main(%x: tensor<2x8192xf32>, %none: tensor<f32>) -> tensor<2x128xf32> {
    %0 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = false, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 5 : i64}} : (tensor<2x8192xf32>, tensor<f32>) -> tensor<2x128xf32>
    return %0 : tensor<2x128xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_approx_top_k_candidates.mlir:8:10: error: approx_top_k: aggregate_to_topk = false: how many more candidates than top_k it would give is the hardware's choice [unsupported-feature]
//!     %0 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = false, recall_target = 0.95 : f32...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! help: say aggregate_to_topk = true
// EXIT: 5
