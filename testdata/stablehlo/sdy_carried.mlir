// What Shardy's export carries in strings and custom calls, as XLA gives its modules back: a mesh, shardings of arguments, of an
// op, of a constraint and of a result, a group, and a manual region. Tile shardings of values do not count beside them.
module @jit_f attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=4]>}"}} {
  func.func private @xla.sdy.manual_computation_body.1(%arg0: tensor<2x8xf32>) -> (tensor<2x8xf32>) {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
  func.func @main(%arg0: tensor<8x4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {}]>"}, mhlo.sharding = "{devices=[2,2]<=[4]}"}, %arg1: tensor<4x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {note = "kept", xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {?}]>]>"}, mhlo.sharding = "{replicated}"} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\22x\22}]>]>"}, mhlo.sharding = "{devices=[1,4]<=[4]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.custom_call @xla.sdy.ShardingGroup(%1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8x8xf32>) -> tuple<>
    %3 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}} : (tensor<8x8xf32>) -> tensor<2x8xf32>
    %4 = call @xla.sdy.manual_computation_body.1(%3) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %5 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%4) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {}]>]>"}} : (tensor<2x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.tanh %5 : tensor<8x8xf32>
    %7 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%6) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %7 : tensor<8x8xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=4]>
//|   func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
//|     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {note = "kept"}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
//|     %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
//|     "sdy.sharding_group"(%1) <{group_id = 1 : i64}> : (tensor<8x8xf32>) -> ()
//|     %5 = "sdy.manual_computation"(%1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
//|     ^bb0(%arg0_1: tensor<2x8xf32>):
//|       %v0_1 = stablehlo.add %arg0_1, %arg0_1 : tensor<2x8xf32>
//|       sdy.return %v0_1 : tensor<2x8xf32>
//|     }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
//|     %6 = stablehlo.tanh %5 : tensor<8x8xf32>
//|     return %6 : tensor<8x8xf32>
//|   }
//| }
// RUN: compile %s --emit=stablehlo
//| module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=4]>
//|   func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x2xf32>) -> (tensor<2x8xf32>) {
//|     %arg0_1 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
//|     %0 = stablehlo.dot_general %arg0_1, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {note = "kept"}} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
//|     %all_to_all = "stablehlo.all_to_all"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
//|     %reshape = stablehlo.reshape %all_to_all : (tensor<8x2xf32>) -> tensor<4x2x2xf32>
//|     %transpose = stablehlo.transpose %reshape, dims = [1, 0, 2] : (tensor<4x2x2xf32>) -> tensor<2x4x2xf32>
//|     %v1_1 = stablehlo.reshape %transpose : (tensor<2x4x2xf32>) -> tensor<2x8xf32>
//|     %v0_1 = stablehlo.add %v1_1, %v1_1 : tensor<2x8xf32>
//|     %6 = stablehlo.tanh %v0_1 : tensor<2x8xf32>
//|     return %6 : tensor<2x8xf32>
//|   }
//| }
//! testdata/stablehlo/sdy_carried.mlir:9:5: warning: the sharding on the result of `dot_general` is ignored: XLA keeps shardings of arguments, results and constraints only [annotation]
//!     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {note = "kept", xla.sdy.sharding = "#sdy.sharding_per_valu...
//!     ^~
// RUN: run %s --check
//| same numbers on 4 devices: 32 values with 512 elements compared, 2 collectives a device, 144 bytes sent by one device
//! testdata/stablehlo/sdy_carried.mlir:9:5: warning: the sharding on the result of `dot_general` is ignored: XLA keeps shardings of arguments, results and constraints only [annotation]
//!     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {note = "kept", xla.sdy.sharding = "#sdy.sharding_per_valu...
//!     ^~
