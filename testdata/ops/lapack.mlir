// Calls of LAPACK as JAX makes them for CPUs are run by LAPACK, on each device's batches: LU, eigenvectors, singular vectors,
// and a solution.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<8x3x3xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %c: tensor<8x4x4xf64>, %d: tensor<8x4x2xf64>) -> (tensor<8x5x3xf32>, tensor<8x3xi32>, tensor<8x5x3xf32>, tensor<8x3x3xcomplex<f32>>, tensor<8x4x4xcomplex<f64>>, tensor<8x4x2xf64>) {
    %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, api_version = 4 : i32} : (tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xi32>, tensor<8xi32>)
    %1:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, api_version = 4 : i32} : (tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>, tensor<8x5x3xf32>, tensor<8x3x3xf32>, tensor<8xi32>)
    %2:3 = stablehlo.custom_call @lapack_cheevd_ffi(%b) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, api_version = 4 : i32} : (tensor<8x3x3xcomplex<f32>>) -> (tensor<8x3x3xcomplex<f32>>, tensor<8x3xf32>, tensor<8xi32>)
    %3:5 = stablehlo.custom_call @lapack_dgeev_ffi(%c) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, api_version = 4 : i32} : (tensor<8x4x4xf64>) -> (tensor<8x4xf64>, tensor<8x4xf64>, tensor<8x4x4xcomplex<f64>>, tensor<8x4x4xcomplex<f64>>, tensor<8xi32>)
    %4 = stablehlo.custom_call @lapack_dtrsm_ffi(%c, %d) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, api_version = 4 : i32} : (tensor<8x4x4xf64>, tensor<8x4x2xf64>) -> tensor<8x4x2xf64>
    return %0#0, %0#1, %1#2, %2#0, %3#3, %4 : tensor<8x5x3xf32>, tensor<8x3xi32>, tensor<8x5x3xf32>, tensor<8x3x3xcomplex<f32>>, tensor<8x4x4xcomplex<f64>>, tensor<8x4x2xf64>
  }
}
// RUN: run --check %s
//| same numbers on 4 devices: 116 values with 7808 elements compared, 2 collectives a device, 792 bytes sent by one device
