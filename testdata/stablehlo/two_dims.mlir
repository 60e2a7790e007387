// HLO's all-to-all joins the dim that it splits, and HLO has no chlo: both are written out in the ops that it has.
module @two_dims attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<8x16xf32>, %b: tensor<4xbf16>) -> (tensor<2x64xf32>, tensor<4xbf16>, tensor<4xi1>) {
    %0 = "stablehlo.all_to_all"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x16xf32>) -> tensor<2x64xf32>
    %1 = chlo.asin %b : tensor<4xbf16> -> tensor<4xbf16>
    %2 = chlo.is_inf %1 : tensor<4xbf16> -> tensor<4xi1>
    return %0, %1, %2 : tensor<2x64xf32>, tensor<4xbf16>, tensor<4xi1>
  }
}
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule two_dims, entry_computation_layout={(f32[8,16]{1,0}, bf16[4]{0})->(f32[2,64]{1,0}, bf16[4]{0}, pred[4]{0})}, num_partitions=4
//|
//| ENTRY main_spmd {
//|   %a = f32[8,16]{1,0} parameter(0)
//|   %b = bf16[4]{0} parameter(1)
//|   %all_to_all = f32[8,16]{1,0} all-to-all(%a), channel_id=3, replica_groups={{0,1,2,3}}, dimensions={0}
//|   %reshape = f32[4,2,16]{2,1,0} reshape(%all_to_all)
//|   %transpose = f32[2,4,16]{2,1,0} transpose(%reshape), dimensions={1,0,2}
//|   %v0 = f32[2,64]{1,0} reshape(%transpose)
//|   %convert = f32[4]{0} convert(%b)
//|   %constant = f32[] constant(1)
//|   %broadcast_in_dim = f32[4]{0} broadcast(%constant), dimensions={}
//|   %subtract = f32[4]{0} subtract(%broadcast_in_dim, %convert)
//|   %add = f32[4]{0} add(%broadcast_in_dim, %convert)
//|   %multiply = f32[4]{0} multiply(%subtract, %add)
//|   %sqrt = f32[4]{0} sqrt(%multiply)
//|   %atan2 = f32[4]{0} atan2(%convert, %sqrt)
//|   %v1 = bf16[4]{0} convert(%atan2)
//|   %convert_1 = f32[4]{0} convert(%v1)
//|   %constant_1 = f32[] constant(inf)
//|   %broadcast_in_dim_1 = f32[4]{0} broadcast(%constant_1), dimensions={}
//|   %abs = f32[4]{0} abs(%convert_1)
//|   %v2 = pred[4]{0} compare(%abs, %broadcast_in_dim_1), direction=EQ
//|   ROOT %tuple = (f32[2,64]{1,0}, bf16[4]{0}, pred[4]{0}) tuple(%v0, %v1, %v2)
//| }
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @two_dims attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   func.func public @main(%a: tensor<8x16xf32>, %b: tensor<4xbf16>) -> (tensor<2x64xf32>, tensor<4xbf16>, tensor<4xi1>) {
//|     %0 = "stablehlo.all_to_all"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x16xf32>) -> tensor<2x64xf32>
//|     %1 = "chlo.asin"(%b) : (tensor<4xbf16>) -> tensor<4xbf16>
//|     %2 = "chlo.is_inf"(%1) : (tensor<4xbf16>) -> tensor<4xi1>
//|     return %0, %1, %2 : tensor<2x64xf32>, tensor<4xbf16>, tensor<4xi1>
//|   }
//| }
