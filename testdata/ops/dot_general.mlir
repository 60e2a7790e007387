// A batched matmul: batch, rows and columns are split without communication, the contracted dim costs an all-reduce.
module {
  sdy.mesh @mesh = <["b"=2, "k"=2]>
  func.func public @main(%a: tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {"k"}]>}, %w: tensor<4x6x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"k"}, {}]>}) -> tensor<4x8x2xf32> {
    %0 = stablehlo.dot_general %a, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x6xf32>, tensor<4x6x2xf32>) -> tensor<4x8x2xf32>
    return %0 : tensor<4x8x2xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[2,8,3]{2,1,0}, f32[2,3,2]{2,1,0})->f32[2,8,2]{2,1,0}}, num_partitions=4
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[2,8,3]{2,1,0} parameter(0), sharding={devices=[2,1,2]<=[4]}
//|   %w = f32[2,3,2]{2,1,0} parameter(1), sharding={devices=[2,2,1]<=[4]}
//|   %v0_partial = f32[2,8,2]{2,1,0} dot(%a, %w), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
//|   ROOT %v0 = f32[2,8,2]{2,1,0} all-reduce(%v0_partial), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 4 devices: 16 values with 496 elements compared, 1 collective a device, 128 bytes sent by one device
