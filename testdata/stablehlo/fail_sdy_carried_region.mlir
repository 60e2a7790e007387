// An end of a manual region with no region behind it.
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"x\"=4]>}"}} {
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<8xf32>) -> tensor<2xf32>
    %1 = stablehlo.negate %0 : tensor<2xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<2xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/stablehlo/fail_sdy_carried_region.mlir:4:10: error: custom_call: no manual region lies here: GlobalToLocalShape makes all operands of one call, and LocalToGlobalShape takes its results, with the same manual axes [unsupported-feature]
//!     %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried_region.mlir:6:10: error: custom_call: no manual region lies here: GlobalToLocalShape makes all operands of one call, and LocalToGlobalShape takes its results, with the same manual axes [unsupported-feature]
//!     %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>...
//!          ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 5
