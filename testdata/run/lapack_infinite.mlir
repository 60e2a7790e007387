// A matrix that is not finite has no eigenvalues: `info` says so, and LAPACK, which would iterate without end, is not called.
module {
  func.func public @main() -> tensor<i32> {
    %a = stablehlo.constant dense<0x7F800000> : tensor<3x3xf32>
    %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, api_version = 4 : i32} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
    return %0#4 : tensor<i32>
  }
}
// RUN: run %s
//| ran on 1 device: 0 collectives a device, 0 bytes sent by one device
