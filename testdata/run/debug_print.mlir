// A call without results, as a debug print is one, does not stand in the way of a check; it prints nothing. What only looks at
// a value gives the value.
module {
  sdy.mesh @mesh = <["x"=4]>
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, api_version = 4 : i32, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<f32>) -> ()
    %1 = stablehlo.custom_call @InspectSharding(%arg0) {has_side_effect = true} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
// RUN: run --check %s
//| same numbers on 4 devices: 24 values with 136 elements compared, 1 collective a device, 6 bytes sent by one device
