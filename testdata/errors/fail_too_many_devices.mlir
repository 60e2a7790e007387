// Types and propagation ask for no devices. A device's program is made for 2^24 of them at most.
module {
  sdy.mesh @m = <["x"=33554432]>
  func.func @main(%x: tensor<67108864xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<67108864xf32> {
    %0 = stablehlo.negate %x : tensor<67108864xf32>
    return %0 : tensor<67108864xf32>
  }
}
// RUN: compile --stop-after=propagate %s
//| spmdc.flat(1, decided=True)
//| m = make_mesh((33554432,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P('x',))
//| def main(x: f32[67108864] @ P('x',)):
//|     v0: f32[67108864] @ P('x',) = lax.neg(x)
//|     return v0
// RUN: compile %s
//! testdata/errors/fail_too_many_devices.mlir:4:13: error: the program is for 33554432 devices, and programs are partitioned for 16777216 at most [unsupported-feature]
//!   func.func @main(%x: tensor<67108864xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<67108864xf32> {
//!             ^~~~~
// EXIT: 5
