// What only arranges elements is made a second time where moving it would send more: a broadcast of a gathered vector, a
// slice of what all devices have, a constraint on a constant.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
    %1 = stablehlo.slice %b [0:4, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
    %one = stablehlo.constant dense<1.0> : tensor<4x6xf32>
    %2 = sdy.sharding_constraint %one <@mesh, [{"x"}, {}]> : tensor<4x6xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x6xf32>
    return %a, %0, %3 : tensor<8xf32>, tensor<6x8xf32>, tensor<4x6xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| spmdc.flat(1)
//| mesh = make_mesh((4,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=(P(None,), P(None, None), P(None, None)))
//| def main(a: f32[8] @ P('x',), b: f32[8, 6] @ P(None, None)):
//|     v0: f32[6, 8] @ P(None, 'x') = lax.broadcast_in_dim(a, shape=(6, 8), broadcast_dimensions=(1,))
//|     v1: f32[4, 6] @ P(None, None) = lax.slice(b, start_indices=(0, 0), limit_indices=(4, 6), strides=(1, 1))
//|     v1_1: f32[4, 6] @ P('x', None) = spmdc.op('reshard', v1, move='slice', dim=0, to_dim=0, axes=((0, 1, 4),))
//|     one: f32[4, 6] @ P('x', None) = jnp.array(np.full((4, 6), 1.0), dtype=f32)
//|     v2: f32[4, 6] @ P('x', None) = spmdc.constraint(one, "<@mesh, [{'x'}, {}]>")
//|     v3: f32[4, 6] @ P('x', None) = lax.add(v1_1, v2)
//|     a_1: f32[8] @ P(None,) = spmdc.op('reshard', a, move='all_gather', dim=0, to_dim=0, axes=((0, 1, 4),))
//|     v0_1: f32[6, 8] @ P(None, None) = lax.broadcast_in_dim(a_1, shape=(6, 8), broadcast_dimensions=(1,))
//|     v3_1: f32[4, 6] @ P(None, None) = spmdc.op('reshard', v3, move='all_gather', dim=0, to_dim=0, axes=((0, 1, 4),))
//|     return (a_1, v0_1, v3_1)
// RUN: run %s --check
//| same numbers on 4 devices: 48 values with 1008 elements compared, 2 collectives a device, 96 bytes sent by one device
