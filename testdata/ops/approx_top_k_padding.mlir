// Eight devices share a row of 57: each chooses three of its eight, and the last has only one to choose. What stands where there is
// no element would come first, and is never chosen.
module {
  sdy.mesh @mesh = <["x"=8, "y"=2]>
  func.func @lt(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare LT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }
  func.func public @main(%x: tensor<3x57xf32>) -> (tensor<3x3xf32>, tensor<3x3xi32>) {
    %a = sdy.sharding_constraint %x <@mesh, [{"y"}, {"x"}]> : tensor<3x57xf32>
    %0 = stablehlo.iota dim = 1 : tensor<3x57xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %1:2 = stablehlo.custom_call @ApproxTopK(%a, %0, %cst, %c) {backend_config = "", called_computations = [@lt], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<3x57xf32>, tensor<3x57xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x3xf32>, tensor<3x3xi32>)
    return %1#0, %1#1 : tensor<3x3xf32>, tensor<3x3xi32>
  }
}
// RUN: run %s --check
//| same numbers on 16 devices: 192 values with 5198 elements compared, 4 collectives a device, 384 bytes sent by one device
