// Complex numbers: made of two parts and taken apart again.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.complex %a, %b : tensor<8xcomplex<f32>>
    %1 = stablehlo.multiply %0, %0 : tensor<8xcomplex<f32>>
    %2 = stablehlo.real %1 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
    %3 = stablehlo.imag %1 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
    %4 = stablehlo.add %2, %3 : tensor<8xf32>
    return %4 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0}, f32[4]{0})->f32[4]{0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %b = f32[4]{0} parameter(1), sharding={devices=[2]<=[2]}
//|   %v0 = c64[4]{0} complex(%a, %b)
//|   %v1 = c64[4]{0} multiply(%v0, %v0)
//|   %v2 = f32[4]{0} real(%v1)
//|   %v3 = f32[4]{0} imag(%v1)
//|   ROOT %v4 = f32[4]{0} add(%v2, %v3)
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 16 values with 64 elements compared, 0 collectives a device, 0 bytes sent by one device
