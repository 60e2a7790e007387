// --propagation=none takes the annotations as they are; what has none is whole on every device.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.tanh %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s --propagation=none
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->f32[8]{0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %v0 = f32[4]{0} tanh(%a)
//|   ROOT %v0_1 = f32[8]{0} all-gather(%v0), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//| }
// RUN: compile %s --propagation=none --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P(None,))
//| def main(a: f32[8] @ P('x',)):
//|     v0: f32[8] @ P(None,) = lax.tanh(a)
//|     return v0
