// A constraint in the middle of a program: rows before it, columns behind it, and an all-to-all between.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.tanh %a : tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| spmdc.flat(1)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P(None, 'x'))
//| def main(a: f32[8, 4] @ P('x', None)):
//|     v0: f32[8, 4] @ P('x', None) = lax.tanh(a)
//|     v0_1: f32[8, 4] @ P(None, 'x') = spmdc.op('reshard', v0, move='all_to_all', dim=0, to_dim=1, axes=((0, 1, 2),))
//|     v1: f32[8, 4] @ P(None, 'x') = spmdc.constraint(v0_1, "<@mesh, [{}, {'x'}]>")
//|     return v1
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,4]{1,0})->f32[8,2]{1,0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = f32[4,4]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
//|   %v0 = f32[4,4]{1,0} tanh(%a)
//|   %all_to_all = f32[4,4]{1,0} all-to-all(%v0), channel_id=1, replica_groups={{0,1}}, dimensions={1}, frontend_attributes={is_spmd_generated="true"}
//|   %reshape = f32[4,2,2]{2,1,0} reshape(%all_to_all), frontend_attributes={is_spmd_generated="true"}
//|   %transpose = f32[2,4,2]{2,1,0} transpose(%reshape), dimensions={1,0,2}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %v0_1 = f32[8,2]{1,0} reshape(%transpose), frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 128 elements compared, 1 collective a device, 32 bytes sent by one device
