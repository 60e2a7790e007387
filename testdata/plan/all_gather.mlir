// A whole result is asked for, its operand is split: all devices collect all parts.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %0 = stablehlo.tanh %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s --stop-after=plan
//| spmdc.flat(1)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P(None,))
//| def main(a: f32[8] @ P('x',)):
//|     v0: f32[8] @ P('x',) = lax.tanh(a)
//|     v0_1: f32[8] @ P(None,) = spmdc.op('reshard', v0, move='all_gather', dim=0, to_dim=0, axes=((0, 1, 2),))
//|     return v0_1
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 48 elements compared, 1 collective a device, 16 bytes sent by one device
