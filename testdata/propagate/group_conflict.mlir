// Members of one sharding group that are given different shardings: told, and each keeps its own.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = sdy.sharding_constraint %b <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    sdy.sharding_group %a group_id=0 : tensor<8x4xf32>
    sdy.sharding_group %0 group_id=0 : tensor<8x4xf32>
    %1 = stablehlo.add %a, %0 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
// RUN: compile %s --stop-after=propagate
//| spmdc.flat(1, decided=True)
//| mesh = make_mesh((2,), ('x',), axis_types=(Auto,))
//| @jit(out_shardings=P('x', None))
//| def main(a: f32[8, 4] @ P('x', None), b: f32[8, 4] @ P(None, 'x')):
//|     v0: f32[8, 4] @ P(None, 'x') = spmdc.constraint(b, "<@mesh, [{}, {'x'}]>")
//|     spmdc.op('sdy.sharding_group', a, text='%0 group_id=0', result_types=())
//|     spmdc.op('sdy.sharding_group', v0, text='%0 group_id=0', result_types=())
//|     v1: f32[8, 4] @ P('x', None) = lax.add(a, v0)
//|     return v1
//! testdata/propagate/group_conflict.mlir:5:5: warning: members of one sharding group are given different shardings: each keeps its own, and the group only holds for what is made of them [constraint-conflict]
//!     %0 = sdy.sharding_constraint %b <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
//!     ^~
//! testdata/propagate/group_conflict.mlir:4:27: note: the other sharding
//!   func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
//!                           ^
