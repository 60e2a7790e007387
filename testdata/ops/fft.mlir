// A transformed dim is needed whole: its split moves to a batch dim.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x12xf32> {
    %0 = stablehlo.fft %a, type = RFFT, length = [12] : (tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>>
    %1 = stablehlo.fft %0, type = IRFFT, length = [12] : (tensor<8x7xcomplex<f32>>) -> tensor<8x12xf32>
    %2 = stablehlo.convert %1 : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %3 = stablehlo.fft %2, type = FFT, length = [8, 12] : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    %4 = stablehlo.fft %3, type = IFFT, length = [8, 12] : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    %5 = stablehlo.real %4 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    return %5 : tensor<8x12xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[8,3]{1,0})->f32[8,12]{1,0}}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[8,3]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}
//|   %a_1 = f32[8,12]{1,0} all-gather(%a), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = c64[8,7]{1,0} fft(%a_1), fft_type=RFFT, fft_length={12}
//|   %v1 = f32[8,12]{1,0} fft(%v0), fft_type=IRFFT, fft_length={12}
//|   %v2 = c64[8,12]{1,0} convert(%v1)
//|   %v3 = c64[8,12]{1,0} fft(%v2), fft_type=FFT, fft_length={8,12}
//|   %v4 = c64[8,12]{1,0} fft(%v3), fft_type=IFFT, fft_length={8,12}
//|   ROOT %v5 = f32[8,12]{1,0} real(%v4)
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 36 values with 3008 elements compared, 1 collective a device, 288 bytes sent by one device
