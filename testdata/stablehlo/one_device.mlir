// Nothing is placed, and devices talk to each other: the program of one device.
module @one_device attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%a: tensor<16x256xf32>, %b: tensor<256x256xf32>) -> tensor<16x256xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %1 = func.call @sum(%0) : (tensor<16x256xf32>) -> tensor<16x256xf32>
    return %1 : tensor<16x256xf32>
  }
  func.func private @sum(%a: tensor<16x256xf32>) -> tensor<16x256xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<16x256xf32>) -> tensor<16x256xf32>
    return %0 : tensor<16x256xf32>
  }
}
// RUN: explain %s
//| program of one device: main on 8 devices
//| types are those of one device's blocks
//|
//| arguments
//|   a: f32[16,256]  -
//|   b: f32[256,256]  -
//| results
//|   0: f32[16,256]  -
//|
//| collectives: 1
//|   c1 all-reduce of f32[16,256] (4 groups of 2): 16 KiB per device
//|      line 9: written in the program
//|
//| sent by one device: 16 KiB
//|   all-reduce: 16 KiB
//|   over devices that are no axes: 16 KiB (all-reduce)
//| memory of one device: peak 304 KiB at '0' (line 4)
//|   arguments 272 KiB, results 16 KiB, of them in arguments' memory 0 B, temporaries 16 KiB
// RUN: compile %s
//| HloModule one_device, entry_computation_layout={(f32[16,256]{1,0}, f32[256,256]{1,0})->f32[16,256]{1,0}}, num_partitions=8
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| sum {
//|   %a = f32[16,256]{1,0} parameter(0)
//|   ROOT %v0 = f32[16,256]{1,0} all-reduce(%a), channel_id=1, replica_groups={{0,1},{2,3},{4,5},{6,7}}, use_global_device_ids=true, to_apply=add.f32
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[16,256]{1,0} parameter(0)
//|   %b = f32[256,256]{1,0} parameter(1)
//|   %v0 = f32[16,256]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//|   ROOT %v1 = f32[16,256]{1,0} call(%v0), to_apply=sum
//| }
