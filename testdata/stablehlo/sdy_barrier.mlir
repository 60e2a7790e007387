// A barrier and a rule as Shardy's export carries them: custom calls and strings.
module @carried attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \22y\22=2]>}"}, mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}]>"}}) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%a) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "2 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @foo(%a) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>"}} : (tensor<8xf32>) -> tensor<8xf32>
    return %0, %1 : tensor<8xf32>, tensor<8xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @carried attributes {mhlo.num_partitions = 4 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=2]>
//|   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
//|     %0 = sdy.propagation_barrier %a allowed_direction=BACKWARD : tensor<8xf32>
//|     %1 = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>"}} : (tensor<8xf32>) -> tensor<8xf32>
//|     return %0, %1 : tensor<8xf32>, tensor<8xf32>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule carried, entry_computation_layout={(f32[8]{0})->(f32[8]{0}, f32[8]{0})}, num_partitions=4
//|
//| ENTRY main {
//|   %a = f32[8]{0} parameter(0), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}
//|   %v0 = f32[8]{0} custom-call(%a), custom_call_target="xla.sdy.PropagationBarrier", frontend_attributes={xla.sdy.allowed_direction="2 : i32"}
//|   %v1 = f32[8]{0} custom-call(%a), custom_call_target="foo", frontend_attributes={xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>"}
//|   ROOT %tuple = (f32[8]{0}, f32[8]{0}) tuple(%v0, %v1)
//| }
// RUN: compile %s --stop-after=propagate --emit=stablehlo
//| module @carried attributes {mhlo.num_partitions = 4 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=2]>
//|   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
//|     %0 = sdy.propagation_barrier %a allowed_direction=BACKWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
//|     %1 = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>"}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
//|     return %0, %1 : tensor<8xf32>, tensor<8xf32>
//|   }
//| }
