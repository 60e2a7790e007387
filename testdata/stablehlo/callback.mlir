// JAX's callbacks are on one device, whatever the rank of what they make; one that makes nothing is placed too.
module @callback attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> tensor<16x32xf32> {
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {api_version = 4 : i32, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg1) {api_version = 4 : i32, has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<f32>) -> ()
    %1 = sdy.sharding_constraint %0 <@maximal_mesh_0, []> : tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @callback attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=4, "y"=2]>
//|   sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
//|   func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> (tensor<16x32xf32>) {
//|     %0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "xla_ffi_python_cpu_callback", api_version = 4 : i32}> {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<16x32xf32>) -> tensor<16x32xf32>
//|     "stablehlo.custom_call"(%arg1) <{call_target_name = "xla_ffi_python_cpu_callback", api_version = 4 : i32, has_side_effect = true}> : (tensor<f32>) -> ()
//|     %1 = sdy.sharding_constraint %0 <@maximal_mesh_0, []> : tensor<16x32xf32>
//|     return %1 : tensor<16x32xf32>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=spmd
//| spmdc.flat(1)
//| maximal_mesh_0 = spmdc.mesh("<[], device_ids=[0]>")
//| mesh = make_mesh((4, 2), ('x', 'y'), axis_types=(Auto, Auto))
//| def main(arg0: f32[16, 32] @ P('x', 'y'), arg1: f32):
//|     v0: spmdc.placed(f32[16, 32], "<@maximal_mesh_0, [{}, {}]>") = spmdc.op('stablehlo.custom_call', arg0, text='<{call_target_name = "xla_ffi_python_cpu_callback", api_version = 4 : i32}>', result_types=(f32[16, 32],))
//|     spmdc.op('stablehlo.custom_call', arg1, text='<{call_target_name = "xla_ffi_python_cpu_callback", api_version = 4 : i32, has_side_effect = true}>', result_types=())
//|     v1: f32[16, 32] = spmdc.constraint(v0, "<@maximal_mesh_0, [{}, {}]>")
//|     return v1
