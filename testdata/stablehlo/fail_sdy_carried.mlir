// Strings of Shardy's export that are wrong: each is pointed at inside the string.
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"x\"=4]>}"}} {
  func.func @main(%arg1: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22z\22}]>]>"}} : tensor<8xf32>
    %1 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>, <@mesh, [{}]>]>"}} : tensor<8xf32>
    %2 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\"x\"}]> and more"}} : tensor<8xf32>
    %3 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = 3 : i64}} : tensor<8xf32>
    %4 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%arg1) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%arg1) {mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "first"}} : (tensor<8xf32>) -> ()
    %5 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg1) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<8xf32>) -> tensor<2xf32>
    %6 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"y\"}>"}} : (tensor<8xf32>) -> tensor<2xf32>
    %7 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>", xla.sdy.manual_axes = "x"}} : (tensor<8xf32>) -> tensor<2xf32>
    %8 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<8xf32>) -> tensor<2xf32>
    return %arg1 : tensor<8xf32>
  }
  func.func @other(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@other, [{\"x\"}]>"}}) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
// RUN: compile %s
//! testdata/stablehlo/fail_sdy_carried.mlir:4:117: error: axis 'z' is not in the mesh x=4 [unknown-axis]
//!     %0 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22z\22}]>]>"}} : tensor<8xf32>
//!                                                                                                                     ^
//! testdata/stablehlo/fail_sdy_carried.mlir:4:133: error: expected an op of a module, found `:` [syntax]
//!     %0 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22z\22}]>]>"}} : tensor<8xf32>
//!                                                                                                                                     ^
//! testdata/stablehlo/fail_sdy_carried.mlir:16:104: error: there is no mesh '@other' [sharding-text]
//!   func.func @other(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@other, [{\"x\"}]>"}}) -> tensor<8xf32> {
//!                                                                                                        ^
// EXIT: 4
