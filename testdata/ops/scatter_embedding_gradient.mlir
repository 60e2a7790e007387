// The gradient of an embedding: rows are added to a table that is split by vocabulary; each device keeps what is its own.
module {
  sdy.mesh @mesh = <["v"=2]>
  func.func public @main(%ids: tensor<3x1xi32>, %g: tensor<3x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"v"}, {}]>}) {
    %cst = stablehlo.constant dense<0.0> : tensor<8x4xf32>
    %0 = "stablehlo.scatter"(%cst, %ids, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(s32[3,1]{1,0}, f32[3,4]{1,0})->f32[4,4]{1,0}}, num_partitions=2
//|
//| add.f32 {
//|   %x = f32[] parameter(0)
//|   %y = f32[] parameter(1)
//|   ROOT %add = f32[] add(%x, %y)
//| }
//|
//| ENTRY main_spmd {
//|   %ids = s32[3,1]{1,0} parameter(0), sharding={replicated}
//|   %g = f32[3,4]{1,0} parameter(1), sharding={replicated}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %cst = f32[4,4]{1,0} broadcast(%constant), dimensions={}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(4), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%convert, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[3,1]{1,0} broadcast(%multiply), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %subtract = s32[3,1]{1,0} subtract(%ids, %broadcast_in_dim), frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0 = f32[4,4]{1,0} scatter(%cst, %subtract, %g), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add.f32
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 10 values with 126 elements compared, 0 collectives a device, 0 bytes sent by one device
