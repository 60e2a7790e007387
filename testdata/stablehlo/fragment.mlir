// Ops without a function: what they use is an argument of the type that they say.
%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
%1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %s = stablehlo.add %x, %y : tensor<f32>
  stablehlo.return %s : tensor<f32>
}) : (tensor<8x2xf32>) -> tensor<8x2xf32>
%2 = stablehlo.multiply %1, %c : tensor<8x2xf32>
// RUN: explain %s
//| program of one device: main on 4 devices
//| types are those of one device's blocks
//|
//| arguments
//|   a: f32[8,4]  -
//|   b: f32[4,2]  -
//|   c: f32[8,2]  -
//| results
//|   0: f32[8,2]  -
//|
//| collectives: 1
//|   c1 all-reduce of f32[8,2] (2 groups of 2): 64 B per device
//|      line 3: written in the program
//|
//| sent by one device: 64 B
//|   all-reduce: 64 B
//|   over devices that are no axes: 64 B (all-reduce)
//| memory of one device: peak 416 B at '1' (line 3)
//|   arguments 224 B, results 64 B, of them in arguments' memory 0 B, temporaries 128 B
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
//|   func.func public @main(%a: tensor<8x4xf32>, %b: tensor<4x2xf32>, %c: tensor<8x2xf32>) -> (tensor<8x2xf32>) {
//|     %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
//|     %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
//|     ^bb0(%x: tensor<f32>, %y: tensor<f32>):
//|       %s = stablehlo.add %x, %y : tensor<f32>
//|       stablehlo.return %s : tensor<f32>
//|     }) : (tensor<8x2xf32>) -> tensor<8x2xf32>
//|     %2 = stablehlo.multiply %1, %c : tensor<8x2xf32>
//|     return %2 : tensor<8x2xf32>
//|   }
//| }
