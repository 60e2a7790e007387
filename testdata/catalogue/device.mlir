// Ops of StableHLO for devices, tokens, random numbers and control flow, read and printed.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>, %flag: tensor<i1>, %n: tensor<i32>, %key: tensor<2xui64>, %image: tensor<2x2x2x4xf32>, %low: tensor<f32>) -> tensor<4xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %replica = stablehlo.replica_id : tensor<ui32>
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %40 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %40 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
    %2 = "stablehlo.reduce_scatter"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %40 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %40 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<2xf32>
    %3 = "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %6 = stablehlo.create_token : !stablehlo.token
    %7 = stablehlo.after_all %6, %6 : !stablehlo.token
    %8 = "stablehlo.outfeed"(%x, %7) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %9:2 = "stablehlo.infeed"(%8) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %10 = "stablehlo.send"(%x, %9#1) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %11:2 = "stablehlo.recv"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %12:2 = stablehlo.while(%a = %n, %b = %x) : tensor<i32>, tensor<4xf32> cond {
      %40 = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %40 : tensor<i1>
    } do {
      stablehlo.return %a, %b : tensor<i32>, tensor<4xf32>
    }
    %13 = "stablehlo.case"(%n) ({
      stablehlo.return %x : tensor<4xf32>
    }, {
      stablehlo.return %0 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %14 = "stablehlo.if"(%flag) ({
      stablehlo.return %x : tensor<4xf32>
    }, {
      stablehlo.return %0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %15 = stablehlo.optimization_barrier %x : tensor<4xf32>
    %16 = stablehlo.custom_call @mine(%x) {api_version = 2 : i32, backend_config = "100% \22a\22", mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %17 = stablehlo.composite "mine.op" %x {composite_attributes = {eps = 1.0 : f32}, decomposition = @body} : (tensor<4xf32>) -> tensor<4xf32>
    %18:2 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %s = stablehlo.constant dense<4> : tensor<1xi64>
    %19 = stablehlo.rng %low, %low, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %20:3 = "stablehlo.batch_norm_training"(%image, %x, %x) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %21 = "stablehlo.batch_norm_inference"(%image, %x, %x, %x, %x) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x2x2x4xf32>
    %22:3 = "stablehlo.batch_norm_grad"(%image, %x, %x, %x, %image) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x2x2x4xf32>) -> (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %23 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4xf32>) -> tensor<i32>
    return %13 : tensor<4xf32>
  }
  func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 2 : i32} {
//|   sdy.mesh @mesh = <["axis_0"=2]>
//|   func.func public @main(%x: tensor<4xf32>, %flag: tensor<i1>, %n: tensor<i32>, %key: tensor<2xui64>, %image: tensor<2x2x2x4xf32>, %low: tensor<f32>) -> (tensor<4xf32>) {
//|     %id = "stablehlo.partition_id"() : () -> tensor<ui32>
//|     %replica = stablehlo.replica_id  : tensor<ui32>
//|     %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %40 = stablehlo.add %p, %q : tensor<f32>
//|       stablehlo.return %40 : tensor<f32>
//|     }) : (tensor<4xf32>) -> tensor<4xf32>
//|     %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
//|     %2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
//|     ^bb0(%p: tensor<f32>, %q: tensor<f32>):
//|       %40 = stablehlo.add %p, %q : tensor<f32>
//|       stablehlo.return %40 : tensor<f32>
//|     }) : (tensor<4xf32>) -> tensor<2xf32>
//|     %3 = "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
//|     %4 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
//|     %5 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
//|     %6 = stablehlo.create_token  : !stablehlo.token
//|     %7 = stablehlo.after_all %6, %6 : !stablehlo.token
//|     %8 = "stablehlo.outfeed"(%x, %7) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
//|     %9:2 = "stablehlo.infeed"(%8) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
//|     %10 = "stablehlo.send"(%x, %9#1) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
//|     %11:2 = "stablehlo.recv"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
//|     %12:2 = "stablehlo.while"(%n, %x) ({
//|     ^bb0(%a: tensor<i32>, %b: tensor<4xf32>):
//|       %40 = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//|       stablehlo.return %40 : tensor<i1>
//|     }, {
//|     ^bb0(%a: tensor<i32>, %b: tensor<4xf32>):
//|       stablehlo.return %a, %b : tensor<i32>, tensor<4xf32>
//|     }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
//|     %13 = "stablehlo.case"(%n) ({
//|       stablehlo.return %x : tensor<4xf32>
//|     }, {
//|       stablehlo.return %0 : tensor<4xf32>
//|     }) : (tensor<i32>) -> tensor<4xf32>
//|     %v0.14.index = stablehlo.convert %flag : (tensor<i1>) -> tensor<i32>
//|     %14 = "stablehlo.case"(%v0.14.index) ({
//|       stablehlo.return %0 : tensor<4xf32>
//|     }, {
//|       stablehlo.return %x : tensor<4xf32>
//|     }) : (tensor<i32>) -> tensor<4xf32>
//|     %15 = "stablehlo.optimization_barrier"(%x) : (tensor<4xf32>) -> tensor<4xf32>
//|     %16 = "stablehlo.custom_call"(%x) <{call_target_name = "mine", api_version = 2 : i32, backend_config = "100% \22a\22"}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4xf32>) -> tensor<4xf32>
//|     %17 = stablehlo.composite "mine.op" %x {composite_attributes = {eps = 1.0 : f32}, decomposition = @body} : (tensor<4xf32>) -> tensor<4xf32>
//|     %18:2 = "stablehlo.rng_bit_generator"(%key) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
//|     %s = stablehlo.constant dense<4> : tensor<1xi64>
//|     %19 = stablehlo.rng %low, %low, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
//|     %20:3 = "stablehlo.batch_norm_training"(%image, %x, %x) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>)
//|     %21 = "stablehlo.batch_norm_inference"(%image, %x, %x, %x, %x) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x2x2x4xf32>
//|     %22:3 = "stablehlo.batch_norm_grad"(%image, %x, %x, %x, %image) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x2x2x4xf32>) -> (tensor<2x2x2x4xf32>, tensor<4xf32>, tensor<4xf32>)
//|     %23 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4xf32>) -> tensor<i32>
//|     return %13 : tensor<4xf32>
//|   }
//|   func.func private @body(%x: tensor<4xf32>) -> (tensor<4xf32>) {
//|     return %x : tensor<4xf32>
//|   }
//| }
