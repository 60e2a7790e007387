// The settings of ApproxTopK are all needed, have types, and there are no others; its comparator is a function.
module {
  func.func private @gt(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func public @main(%x: tensor<4x8xf32>, %none: tensor<f32>) -> tensor<4x8xf32> {
    %0 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt]} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    %1 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    %2 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = 3 : i64, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    %3 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64, tiling = 4 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    %4 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = ["gt"], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    return %x : tensor<4x8xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_approx_top_k_settings.mlir:8:10: error: custom_call: mhlo.backend_config: expected `aggregate_to_topk`, true or false [attribute]
//!     %0 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt]} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k_settings.mlir:9:10: error: custom_call: mhlo.backend_config: expected `top_k`, an integer [attribute]
//!     %1 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32,...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k_settings.mlir:10:10: error: custom_call: mhlo.backend_config: expected `aggregate_to_topk`, true or false [attribute]
//!     %2 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = 3 : i64, recall_target = 0.95 : f...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k_settings.mlir:11:10: error: custom_call: mhlo.backend_config: `tiling` is no setting of ApproxTopK [attribute]
//!     %3 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32,...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/errors/fail_approx_top_k_settings.mlir:12:79: error: called_computations: expected the name of a function [attribute]
//!     %4 = stablehlo.custom_call @ApproxTopK(%x, %none) {called_computations = ["gt"], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32...
//!                                                                               ^~~~
// EXIT: 3
