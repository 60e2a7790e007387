// LAPACK's routines are called only with arrays and settings that are theirs.
module {
  func.func public @main(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 88 : ui8}, api_version = 4 : i32} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
    %1 = stablehlo.custom_call @my_kernel(%0#0) {api_version = 4 : i32} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}
// RUN: run %s
//! testdata/run/fail_lapack_settings.mlir:4:12: error: `stablehlo.custom_call` cannot be run: these are not the arrays and settings of this routine of LAPACK [unsupported-op]
//!     %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 88 : ui8}, api_version = 4 : i32} : (tensor<3x3xf32>) -> (tensor<3x3xf32>...
//!            ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 5
