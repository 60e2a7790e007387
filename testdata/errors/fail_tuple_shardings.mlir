// The module places more arguments than there are.
module @tuples attributes {mhlo.frontend_attributes = {xla.sdy.tuple_args_shardings = "#sdy.sharding_per_value<[<mesh<[\22x\22=2]>, [{\22x\22}]>, <mesh<[\22x\22=2]>, [{}]>]>"}} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}
// --- a.hlo
HloModule tuples, num_partitions=2, frontend_attributes={xla.sdy.tuple_args_shardings="#sdy.sharding_per_value<[<mesh<[\"x\"=2]>, [{\"x\"}]>, <mesh<[\"x\"=2]>, [{}]>]>"}

ENTRY main {
  ROOT a = f32[8]{0} parameter(0)
}
// RUN: compile %s
//! testdata/errors/fail_tuple_shardings.mlir:2:87: error: 2 shardings for 1 values [annotation]
//! ... @tuples attributes {mhlo.frontend_attributes = {xla.sdy.tuple_args_shardings = "#sdy.sharding_per_value<[<mesh<[\22x\22=2]>, [{\22x\22}]>, <mesh<[\22x\22=2]>, ...
//!                                                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile a.hlo
//! a.hlo:1:87: error: 2 shardings for 1 values [sharding-text]
//! ...ule tuples, num_partitions=2, frontend_attributes={xla.sdy.tuple_args_shardings="#sdy.sharding_per_value<[<mesh<[\"x\"=2]>, [{\"x\"}]>, <mesh<[\"x\"=2]>, [{}]>]...
//!                                                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 3
