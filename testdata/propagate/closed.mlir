// A closed dim stays as it is, an open one (?) takes what comes. XLA drops what is said of inner values, Shardy does not.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {}]>]>} : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// RUN: compile %s --propagation=sdy --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2, 2), ('x', 'y'), axis_types=(Auto, Auto))
//| @jit(out_shardings=P('x', None))
//| def main(a: f32[8, 4] @ P('x', 'y')):
//|     v0: f32[8, 4] @ P('x', None) = lax.tanh(a)
//|     return v0
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2, 2), ('x', 'y'), axis_types=(Auto, Auto))
//| @jit(out_shardings=P('x', 'y'))
//| def main(a: f32[8, 4] @ P('x', 'y')):
//|     v0: f32[8, 4] @ P('x', 'y') = lax.tanh(a)
//|     return v0
//! testdata/propagate/closed.mlir:5:5: warning: the sharding on the result of `tanh` is ignored: XLA keeps shardings of arguments, results and constraints only [annotation]
//!     %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {}]>]>} : tensor<8x4xf32>
//!     ^~
