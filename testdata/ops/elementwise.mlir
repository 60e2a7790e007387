// Elementwise ops work on what each device has: no communication, whatever the split.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x4xf32>
    %1 = stablehlo.compare GT, %0, %b : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %2 = stablehlo.exponential %a : tensor<8x4xf32>
    %3 = stablehlo.select %1, %2, %0 : tensor<8x4xi1>, tensor<8x4xf32>
    %4 = stablehlo.convert %3 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
    %5 = stablehlo.convert %4 : (tensor<8x4xbf16>) -> tensor<8x4xf32>
    %6 = stablehlo.clamp %b, %5, %0 : tensor<8x4xf32>
    return %6 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,2]{1,0}, f32[4,2]{1,0})->f32[4,2]{1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[4,2]{1,0} parameter(0), sharding={devices=[2,2]<=[4]}
//|   %b = f32[4,2]{1,0} parameter(1), sharding={devices=[2,2]<=[4]}
//|   %v0 = f32[4,2]{1,0} add(%a, %b)
//|   %v1 = pred[4,2]{1,0} compare(%v0, %b), direction=GT
//|   %v2 = f32[4,2]{1,0} exponential(%a)
//|   %v3 = f32[4,2]{1,0} select(%v1, %v2, %v0)
//|   %v4 = bf16[4,2]{1,0} convert(%v3)
//|   %v5 = f32[4,2]{1,0} convert(%v4)
//|   ROOT %v6 = f32[4,2]{1,0} clamp(%b, %v5, %v0)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 40 values with 320 elements compared, 0 collectives a device, 0 bytes sent by one device
