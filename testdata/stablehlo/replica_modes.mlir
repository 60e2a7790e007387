// What the numbers in groups count: with a channel and without use_global_device_ids replicas, each with all its partitions; without a
// channel replicas; of ops that have no such flag, partitions. All are told as devices, of which the module has one replica then.
module @modes attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.all_to_all"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module @modes attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   func.func public @main(%a: tensor<4xf32>) -> (tensor<4xf32>) {
//|     %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %s = stablehlo.add %p, %q : tensor<f32>
//|       stablehlo.return %s : tensor<f32>
//|     }) : (tensor<4xf32>) -> tensor<4xf32>
//|     %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %s = stablehlo.add %p, %q : tensor<f32>
//|       stablehlo.return %s : tensor<f32>
//|     }) : (tensor<4xf32>) -> tensor<4xf32>
//|     %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [2, 3], [1, 0], [3, 2]]> : tensor<4x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
//|     %3 = "stablehlo.all_to_all"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
//|     return %3 : tensor<4xf32>
//|   }
//| }
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule modes, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, num_partitions=4
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0)
//|   %v0 = f32[4]{0} all-reduce(%a), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add.f32
//|   %v1 = f32[4]{0} all-reduce(%v0), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=add.f32
//|   %v2 = f32[4]{0} collective-permute(%v1), channel_id=2, source_target_pairs={{0,1},{2,3},{1,0},{3,2}}
//|   ROOT %v3 = f32[4]{0} all-to-all(%v2), channel_id=3, replica_groups={{0,1},{2,3}}, dimensions={0}
//| }
