// Digits that no split of the axis has together stay apart: a value takes one of them, and moves to the other.
sdy.mesh @mesh = <["x"=12]>
func.func public @main(%a: tensor<12x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(4)3}, {}]>}) -> (tensor<12x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(1)3}]>}) {
  %0 = stablehlo.tanh %a : tensor<12x24xf32>
  return %0 : tensor<12x24xf32>
}
// RUN: compile %s --propagation=gspmd --stop-after=propagate --emit=spmd
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((12,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=spmdc.sharding("<@mesh, [{}, {'x':(1)3}]>"))
//| def main(a: spmdc.placed(f32[12, 24], "<@mesh, [{'x':(4)3}, {}]>")):
//|     v0: spmdc.placed(f32[12, 24], "<@mesh, [{'x':(4)3}, {}]>") = lax.tanh(a)
//|     return v0
// RUN: run %s --propagation=gspmd --check
//| same numbers on 12 devices: 60 values with 8064 elements compared, 1 collective a device, 768 bytes sent by one device
