// Shardy's ops, read and printed.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x4xf32>, %arg2: tensor<8x4xf32>, %arg3: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %1 = sdy.all_slice [{"x"}, {}] %arg3 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
    %2 = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
    %3 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    %4 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x4xf32>
    %5 = sdy.reduce_scatter [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
    %6 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    %7 = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x4xf32>
    %8 = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x4xf32>
    %9 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
    %10 = sdy.func_data_flow_edge %arg2 {sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : tensor<8x4xf32>
    %11 = sdy.constant dense<1.000000e+00> : tensor<8x4xf32>
    %12 = sdy.named_computation<"foo">(%arg0) (%arg4: tensor<8x4xf32>) {
      sdy.return %arg4 : tensor<8x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %13 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
    sdy.sharding_group %arg0 group_id=1 : tensor<8x4xf32>
    %14 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<8x4xf32>
    %15 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg4: tensor<4x4xf32>) {
      sdy.return %arg4 : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=2]>
//|   func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x4xf32>, %arg2: tensor<8x4xf32>, %arg3: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
//|     %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
//|     %1 = sdy.all_slice [{"x"}, {}] %arg3 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
//|     %2 = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
//|     %3 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x4xf32>
//|     %4 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x4xf32>
//|     %5 = sdy.reduce_scatter [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
//|     %6 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
//|     %7 = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x4xf32>
//|     %8 = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x4xf32>
//|     %9 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
//|     %10 = sdy.func_data_flow_edge %arg2 {sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : tensor<8x4xf32>
//|     %11 = stablehlo.constant dense<1.0> : tensor<8x4xf32>
//|     %12 = "sdy.named_computation"(%arg0) <{name = "foo"}> ({
//|     ^bb0(%arg4: tensor<8x4xf32>):
//|       sdy.return %arg4 : tensor<8x4xf32>
//|     }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
//|     %13 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
//|     sdy.sharding_group %arg0 group_id=1 : tensor<8x4xf32>
//|     %14 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<8x4xf32>
//|     %15 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
//|     ^bb0(%arg4: tensor<4x4xf32>):
//|       sdy.return %arg4 : tensor<4x4xf32>
//|     }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
//|     return
//|   }
//| }
