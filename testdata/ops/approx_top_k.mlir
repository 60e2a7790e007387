// JAX's approx_max_k: a custom call with settings and a comparator by name. It is answered exactly. Along a split row each
// device chooses among its own, then all choose among the chosen; of 18 elements on four devices the last have padding.
module {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @top_k_gt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }
  func.func public @main(%a: tensor<3x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<3x4xf32>, tensor<3x4xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<3x18xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1:2 = stablehlo.custom_call @ApproxTopK(%a, %0, %cst, %c) {backend_config = "", called_computations = [@top_k_gt_f32_comparator], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 4 : i64}} : (tensor<3x18xf32>, tensor<3x18xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
    return %1#0, %1#1 : tensor<3x4xf32>, tensor<3x4xi32>
  }
}
// RUN: compile %s
// RUN: run %s --check
// RUN: explain %s
// RUN: compile %s --stop-after=types
// RUN: compile %s --stop-after=types --emit=stablehlo
// RUN: compile %s --stop-after=types --emit=hlo
