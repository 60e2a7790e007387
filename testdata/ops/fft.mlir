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
// RUN: run %s --check
