// Custom calls of which nothing is known, as HLO: what they say is the same in both languages.
module @calls {
  func.func public @main(%a: tensor<8x4xf32>, %n: tensor<i32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<f32>) {
    %0:2 = stablehlo.custom_call @lapack_ffi(%a, %n) {api_version = 4 : i32, backend_config = {mode = 65 : ui8, name = "q"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<8x4xf32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<4xf32>)
    %1 = stablehlo.custom_call @"a \22b\22"(%0#0) {api_version = 2 : i32, backend_config = "say \22yes\22 \5C \0A", has_side_effect = true} : (tensor<8x4xf32>) -> tensor<f32>
    return %0#0, %0#1, %1 : tensor<8x4xf32>, tensor<4xf32>, tensor<f32>
  }
}
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule calls, entry_computation_layout={(f32[8,4]{1,0}, s32[])->(f32[8,4]{0,1}, f32[4]{0}, f32[])}
//|
//| ENTRY main {
//|   %a = f32[8,4]{1,0} parameter(0)
//|   %n = s32[] parameter(1)
//|   %v0 = (f32[8,4]{0,1}, f32[4]{0}) custom-call(%a, %n), custom_call_target="lapack_ffi", api_version=API_VERSION_TYPED_FFI, backend_config={mode = 65 : ui8, name = "q"}, operand_layout_constraints={f32[8,4]{0,1}, s32[]}, output_to_operand_aliasing={{0}: (0, {})}
//|   %v0.0 = f32[8,4]{0,1} get-tuple-element(%v0), index=0
//|   %v0.1 = f32[4]{0} get-tuple-element(%v0), index=1
//|   %v1 = f32[] custom-call(%v0.0), custom_call_target="a \"b\"", api_version=API_VERSION_STATUS_RETURNING, backend_config="say \"yes\" \\ \n", custom_call_has_side_effect=true
//|   ROOT %tuple = (f32[8,4]{0,1}, f32[4]{0}, f32[]) tuple(%v0.0, %v0.1, %v1)
//| }
