// A call that says how many of its dims are batches runs on each device's batches; a call of Python, like other unknown
// targets, on whole arrays.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<8xf32>) {
    %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, api_version = 4 : i32, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<8x3x3xf32>) -> (tensor<8x3x3xf32>, tensor<8xi32>)
    %1 = stablehlo.convert %0#1 : (tensor<8xi32>) -> tensor<8xf32>
    %2 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%1) {mhlo.backend_config = {index = 0 : ui64}, api_version = 4 : i32} : (tensor<8xf32>) -> tensor<8xf32>
    return %0#0, %2 : tensor<8x3x3xf32>, tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2,3,3]{2,1,0})->(f32[2,3,3]{1,2,0}, f32[8]{0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[2,3,3]{2,1,0} parameter(0), sharding={devices=[4,1,1]<=[4]}
//|   %v0 = (f32[2,3,3]{1,2,0}, s32[2]{0}) custom-call(%a), custom_call_target="lapack_spotrf_ffi", api_version=API_VERSION_TYPED_FFI, operand_layout_constraints={f32[2,3,3]{1,2,0}}, backend_config={uplo = 76 : ui8}, frontend_attributes={num_batch_dims="1"}
//|   %v0.0 = f32[2,3,3]{1,2,0} get-tuple-element(%v0), index=0
//|   %v0.1 = s32[2]{0} get-tuple-element(%v0), index=1
//|   %v0.1_1 = s32[8]{0} all-gather(%v0.1), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v1 = f32[8]{0} convert(%v0.1_1)
//|   %v2 = f32[8]{0} custom-call(%v1), custom_call_target="xla_ffi_python_cpu_callback", api_version=API_VERSION_TYPED_FFI, backend_config={index = 0 : ui64}
//|   ROOT %tuple = (f32[2,3,3]{1,2,0}, f32[8]{0}) tuple(%v0.0, %v2)
//| }
// RUN: compile %s --emit=stablehlo
//| module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=4]>
//|   func.func public @main(%a: tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<8xf32>) {
//|     %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_spotrf_ffi", api_version = 4 : i32, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]}> {mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
//|     %v0_1_1 = "stablehlo.all_gather"(%0#1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2xi32>) -> tensor<8xi32>
//|     %1 = stablehlo.convert %v0_1_1 : (tensor<8xi32>) -> tensor<8xf32>
//|     %2 = "stablehlo.custom_call"(%1) <{call_target_name = "xla_ffi_python_cpu_callback", api_version = 4 : i32}> {mhlo.backend_config = {index = 0 : ui64}} : (tensor<8xf32>) -> tensor<8xf32>
//|     return %0#0, %2 : tensor<2x3x3xf32>, tensor<8xf32>
//|   }
//| }
