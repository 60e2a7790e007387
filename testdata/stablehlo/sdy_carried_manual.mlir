// Two calls of one body: a region has its own copy. The first region is given its arrays in another order than they were cut in,
// one of its results is not used, and the result of the second is wanted twice, once with a placement.
"builtin.module"() <{sym_name = "jit_f"}> ({
  func.func private @xla.sdy.manual_computation_body(%a: tensor<2x8xf32>, %b: tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4x8xf32>) {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0, %b : tensor<2x8xf32>, tensor<4x8xf32>
  }
  func.func public @main(%p: tensor<4x8xf32>, %q: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%q, %p) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>, <@mesh, [{\"x\"}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<8x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>)
    %1:2 = call @xla.sdy.manual_computation_body(%0#1, %0#0) : (tensor<2x8xf32>, tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4x8xf32>)
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1#0) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>"}} : (tensor<2x8xf32>) -> tensor<4x8xf32>
    %3:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%2, %q) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>, <@mesh, [{\"x\"}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>"}} : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<2x8xf32>, tensor<4x8xf32>)
    %4:2 = call @xla.sdy.manual_computation_body(%3#0, %3#1) : (tensor<2x8xf32>, tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4x8xf32>)
    %5:2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%4#0, %4#1) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\"x\"}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>, <@mesh, [{\"x\"}, {}]>]>"}} : (tensor<2x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>)
    %6 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%5#0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\"y\"}]>]>"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %6, %5#0 : tensor<4x8xf32>, tensor<4x8xf32>
  }
}) {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"x\"=2, \"y\"=2]>, turned = #sdy.mesh<[\"x\"=4], device_ids=[3, 2, 1, 0]>}"}} : () -> ()
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=2]>
//|   func.func public @main(%p: tensor<4x8xf32>, %q: tensor<8x8xf32>) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<4x8xf32>) {
//|     %2, %v1_1 = "sdy.manual_computation"(%p, %q) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>]>}> ({
//|     ^bb0(%a: tensor<2x8xf32>, %b: tensor<4x8xf32>):
//|       %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
//|       ^bb0(%x: tensor<f32>, %y: tensor<f32>):
//|         %s = stablehlo.add %x, %y : tensor<f32>
//|         stablehlo.return %s : tensor<f32>
//|       }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
//|       sdy.return %0, %b : tensor<2x8xf32>, tensor<4x8xf32>
//|     }) : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
//|     %5:2 = "sdy.manual_computation"(%2, %q) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>}> ({
//|     ^bb0(%a: tensor<2x8xf32>, %b: tensor<4x8xf32>):
//|       %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
//|       ^bb0(%x: tensor<f32>, %y: tensor<f32>):
//|         %s = stablehlo.add %x, %y : tensor<f32>
//|         stablehlo.return %s : tensor<f32>
//|       }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
//|       sdy.return %0, %b : tensor<2x8xf32>, tensor<4x8xf32>
//|     }) : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>)
//|     return %5#0, %5#0 : tensor<4x8xf32>, tensor<4x8xf32>
//|   }
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 32 values with 544 elements compared, 3 collectives a device, 160 bytes sent by one device
