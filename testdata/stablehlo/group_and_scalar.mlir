// A group of values, and a scalar of a manual region that is kept off an axis.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
    sdy.sharding_group %a group_id=3 : tensor<8xf32>
    sdy.sharding_group %b group_id=3 : tensor<8xf32>
    %0 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%c: tensor<4xf32>) {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %2 = sdy.sharding_constraint %1 <@mesh, [], replicated={"y"}> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4xf32>
      sdy.return %3 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=2]>
//|   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> (tensor<8xf32>) {
//|     sdy.sharding_group %a group_id=3 : tensor<8xf32>
//|     sdy.sharding_group %b group_id=3 : tensor<8xf32>
//|     %0 = "sdy.manual_computation"(%b) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
//|     ^bb0(%c: tensor<4xf32>):
//|       %z = stablehlo.constant dense<0.0> : tensor<f32>
//|       %1 = "stablehlo.reduce"(%c, %z) <{dimensions = array<i64: 0>}> ({
//|       ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
//|         %add = stablehlo.add %lhs, %rhs : tensor<f32>
//|         stablehlo.return %add : tensor<f32>
//|       }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
//|       %2 = sdy.sharding_constraint %1 <@mesh, [], replicated={"y"}> : tensor<f32>
//|       %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4xf32>
//|       sdy.return %3 : tensor<4xf32>
//|     }) : (tensor<8xf32>) -> tensor<8xf32>
//|     return %0 : tensor<8xf32>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule main, entry_computation_layout={(f32[8]{0}, f32[8]{0})->f32[8]{0}}, num_partitions=4, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| xla.sdy.manual_computation_body {
//|   %c = f32[4]{0} parameter(0)
//|   %z = f32[] constant(0)
//|   %v1 = f32[] reduce(%c, %z), dimensions={0}, to_apply=add.f32
//|   %v2 = f32[] custom-call(%v1), custom_call_target="Sharding", frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [], replicated={\"y\"}>]>"}
//|   ROOT %v3 = f32[4]{0} broadcast(%v2), dimensions={}
//| }
//|
//| ENTRY main {
//|   %a = f32[8]{0} parameter(0), frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}]>"}
//|   %b = f32[8]{0} parameter(1)
//|   %sharding_group = () custom-call(%a), custom_call_target="xla.sdy.ShardingGroup", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding_group_id="3 : i64"}
//|   %sharding_group.1 = () custom-call(%b), custom_call_target="xla.sdy.ShardingGroup", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding_group_id="3 : i64"}
//|   %manual.in = f32[4]{0} custom-call(%b), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>",xla.sdy.manual_axes="#sdy<manual_axes{\"x\"}>"}
//|   %manual_ = f32[4]{0} call(%manual.in), to_apply=xla.sdy.manual_computation_body, frontend_attributes={inlineable="false"}
//|   ROOT %v0 = f32[8]{0} custom-call(%manual_), custom_call_target="xla.sdy.LocalToGlobalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes="#sdy<manual_axes{\"x\"}>",xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>"}
//| }
