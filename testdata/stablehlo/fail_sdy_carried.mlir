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
//! testdata/stablehlo/fail_sdy_carried.mlir:5:81: error: 2 shardings for 1 results [annotation]
//!     %1 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>, <@mesh, [{}]>]>"}} : tensor<8xf32>
//!                                                                                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:6:114: error: expected the end of the string, found 'and' [sharding-text]
//!     %2 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\"x\"}]> and more"}} : tensor<8xf32>
//!                                                                                                                  ^
//! testdata/stablehlo/fail_sdy_carried.mlir:7:81: error: xla.sdy.sharding: expected a string [sharding-text]
//!     %3 = stablehlo.negate %arg1 {mhlo.frontend_attributes = {xla.sdy.sharding = 3 : i64}} : tensor<8xf32>
//!                                                                                 ^~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:8:10: error: custom_call: a call of FuncResultSharding has one operand and a sharding [attribute]
//!     %4 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%arg1) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:9:5: error: custom_call: a call of ShardingGroup has one operand and xla.sdy.sharding_group_id = "0 : i64" [attribute]
//!     stablehlo.custom_call @xla.sdy.ShardingGroup(%arg1) {mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "first"}} : (tensor<8xf32>) -> ()
//!     ^~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:10:10: error: custom_call: an end of a manual region without xla.sdy.in_shardings [attribute]
//!     %5 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg1) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<8xf3...
//!          ^~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:11:190: error: manual axis 'y' is not in the mesh x=4 [unknown-axis]
//! ...rdings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"y\"}>"}} : (tensor<8xf32>) -> tensor<2xf32>
//!                                                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:12:190: error: expected manual axes like "#sdy<manual_axes{\"x\"}>" [sharding-text]
//! ...rdings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>", xla.sdy.manual_axes = "x"}} : (tensor<8xf32>) -> tensor<2xf32>
//!                                                                                    ^~~
//! testdata/stablehlo/fail_sdy_carried.mlir:13:119: error: 0 shardings for 1 operands and 1 results [annotation]
//! ...y.GlobalToLocalShape(%arg1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}...
//!                                                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//! testdata/stablehlo/fail_sdy_carried.mlir:16:104: error: there is no mesh '@other' [sharding-text]
//!   func.func @other(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@other, [{\"x\"}]>"}}) -> tensor<8xf32> {
//!                                                                                                        ^
// EXIT: 4
