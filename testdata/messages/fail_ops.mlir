// Ops and functions, and what can be wrong with them.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 1.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%a) {backend_config = "a
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 2.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 3.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.iota"() <{iota_dimension = 99999999999999999999 : i64}> : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 4.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.gather"(%a, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], [2]>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 5.mlir
sdy.mesh @a = <["x"=2]>
sdy.mesh @b = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 6.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 7.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.constant dense_resource<r> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
{-#
  dialect_resources: {
    builtin: {
      r: "0x040000000000"
    }
  }
#-}
// --- 8.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32> loc(foo)
  return %0 : tensor<8xf32>
}
// --- 9.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%c = %a) : tensor<8xf32> cond {
    return %c : tensor<i32>
  }
  return %0 : tensor<8xf32>
}
// --- 10.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.while(x = %a) : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 11.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.negate across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %a : tensor<8xf32>
}
// --- 12.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.torch_index_select %a
  return %0 : tensor<8xf32>
}
// --- 13.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.named_computation<f>(%a) (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 14.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.named_computation<"f">(%a) in_shardings=1 (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 15.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 16.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @Sharding(%a, %a) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 17.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 18.mlir
ml_program.subgraph private @g
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 19.mlir
"ml_program.global"() <{sym_name = "g"}> : () -> ()
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 20.mlir
sdy.mesh mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 21.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32>
func.func @other(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 22.mlir
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{}]>]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 23.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^bb1
  ^bb1:
  return %a : tensor<8xf32>
}
// --- 24.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
  ^bb1:
  return %a : tensor<8xf32>
}
// --- 25.mlir
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %a : tensor<8xf32>
}
// --- 26.mlir
"sdy.mesh"() <{sym_name = "m", mesh = 1}> : () -> ()
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 27.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0, = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 28.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0:x = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 29.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%c) ({
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 30.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.if"(%c) ({
    stablehlo.return %a : tensor<8xf32>
  }, {
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 31.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<4xf32>
}
// --- 32.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.composite f %a {decomposition = @f} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 33.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 34.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = stablehlo.negate %a : (tensor<8xf32>) -> tensor<8xf32>
  return %0#0 : tensor<8xf32>
}
// --- 35.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.negate %c : tensor<f32>
  %0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %a : tensor<8xf32>
}
// --- 36.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    stablehlo.return %a : tensor<8xf32>
  ^bb1:
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 37.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    %1 = stablehlo.negate %a : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 38.mlir
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 39.mlir
func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{{replicated}, {replicated}}"}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 40.mlir
func.func @main(%a: tensor<8>) -> tensor<8xf32> {
  return %a : tensor<8x>
}
// --- 41.mlir
func.func @main(%a: tensor<99999999999999999999xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 42.mlir
func.func @main(%a: tensor<8xf32
// --- 43.mlir
sdy.mesh @m = <["x"=2
// --- 44.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "f", called_computations = [1]}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 45.mlir
func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{replicated metadata={a"}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 46.mlir
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1, 2]
// --- 47.mlir
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]
// --- 48.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %t = stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<8xf32>>
  %0 = stablehlo.negate %t : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 49.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %t = stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<4xf32>>
  return %a : tensor<8xf32>
}
// --- 50.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %t = stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<8xf32>>
  %0 = stablehlo.get_tuple_element %t[2] : (tuple<tensor<8xf32>, tensor<8xf32>>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 51.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %t = stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<8xf32>>
  %u = stablehlo.tuple %t : tuple<tuple<tensor<8xf32>, tensor<8xf32>>>
  %0 = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<8xf32>, tensor<8xf32>>>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// --- 52.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<8xf32>>
  return %a : tensor<8xf32>
}
// --- 53.mlir
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.unary_einsum"(%a) <{einsum_config = "a->a"}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule main, entry_computation_layout={(f32[8]{0})->f32[8]{0}}
//|
//| ENTRY main {
//|   %a = f32[8]{0} parameter(0)
//|   ROOT %v0 = f32[8]{0} negate(%a)
//| }
// RUN: compile 1.mlir
//! 1.mlir:2:55: error: expected the end of a string on its line, found `"a` [syntax]
//!   %0 = stablehlo.custom_call @f(%a) {backend_config = "a
//!                                                       ^~
//! 1.mlir:3:5: error: expected an op of a module, found `:` [syntax]
//!   } : (tensor<8xf32>) -> tensor<8xf32>
//!     ^
// EXIT: 3
// RUN: compile 2.mlir
//! 2.mlir:2:19: error: expected a name behind `@`, found `(` [syntax]
//!   %0 = func.call @(%a) : (tensor<8xf32>) -> tensor<8xf32>
//!                   ^
// EXIT: 3
// RUN: compile 3.mlir
//! 3.mlir:2:46: error: `99999999999999999999` does not fit 64 bits [attribute]
//!   %0 = "stablehlo.iota"() <{iota_dimension = 99999999999999999999 : i64}> : () -> tensor<8xf32>
//!                                              ^~~~~~~~~~~~~~~~~~~~
//! 3.mlir:2:73: error: expected an op of a module, found `>` [syntax]
//!   %0 = "stablehlo.iota"() <{iota_dimension = 99999999999999999999 : i64}> : () -> tensor<8xf32>
//!                                                                         ^
// EXIT: 3
// RUN: compile 4.mlir
//! 4.mlir:2:94: error: expected a name of a field, found `[2]>}>` [syntax]
//!   %0 = "stablehlo.gather"(%a, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], [2]>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
//!                                                                                              ^~~~~~
//! 4.mlir:2:99: error: expected an op of a module, found `>` [syntax]
//!   %0 = "stablehlo.gather"(%a, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], [2]>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
//!                                                                                                   ^
// EXIT: 3
// RUN: compile 5.mlir
//! 5.mlir:2:15: error: meshes of 2 and of 4 devices in one module [unsupported-feature]
//! sdy.mesh @b = <["x"=4]>
//!               ^~~~~~~~~
// EXIT: 5
// RUN: compile 6.mlir
//! 6.mlir:5:1: error: the file ends where `:` is expected [truncated]
//!
//! ^
// EXIT: 3
// RUN: compile 7.mlir
//! 7.mlir:2:42: error: resource `r` does not hold the elements of f32[8] [literal]
//!   %0 = stablehlo.constant dense_resource<r> : tensor<8xf32>
//!                                          ^
// EXIT: 3
// RUN: compile 8.mlir
//! 8.mlir:2:51: error: expected a location, found `)` [syntax]
//!   %0 = stablehlo.negate %a : tensor<8xf32> loc(foo)
//!                                                   ^
// EXIT: 3
// RUN: compile 9.mlir
//! 9.mlir:4:12: error: %c is f32[8], returned as s32[] [shape]
//!     return %c : tensor<i32>
//!            ^~~~~~~~~~~~~~~~
//! 9.mlir:6:3: error: expected `do`, found `return` [syntax]
//!   return %0 : tensor<8xf32>
//!   ^~~~~~
// EXIT: 4
// RUN: compile 10.mlir
//! 10.mlir:2:24: error: expected the name of an argument, found `x` [syntax]
//!   %0 = stablehlo.while(x = %a) : tensor<8xf32>
//!                        ^
// EXIT: 3
// RUN: compile 11.mlir
//! 11.mlir:3:8: error: reduce: applies `stablehlo.negate` [unsupported-feature]
//!   %0 = stablehlo.reduce(%a init: %c) applies stablehlo.negate across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
//!        ^~~~~~~~~~~~~~~~
// EXIT: 5
// RUN: compile 12.mlir
//! 12.mlir:2:8: error: torch_index_select: has no type [syntax]
//!   %0 = stablehlo.torch_index_select %a
//!        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 3
// RUN: compile 13.mlir
//! 13.mlir:2:30: error: expected a name in quotes, found `f>` [syntax]
//!   %0 = sdy.named_computation<f>(%a) (%b: tensor<8xf32>) {
//!                              ^~
// EXIT: 3
// RUN: compile 14.mlir
//! 14.mlir:2:52: error: expected `[` and shardings, found `1` [syntax]
//!   %0 = sdy.named_computation<"f">(%a) in_shardings=1 (%b: tensor<8xf32>) {
//!                                                    ^
// EXIT: 3
// RUN: compile 15.mlir
//! 15.mlir:2:30: error: expected the target of a custom call, found `f` [syntax]
//!   %0 = stablehlo.custom_call f(%a) : (tensor<8xf32>) -> tensor<8xf32>
//!                              ^
// EXIT: 3
// RUN: compile 16.mlir
//! 16.mlir:2:8: error: custom_call: a call of Sharding has one operand and one result [operand-count]
//!   %0 = stablehlo.custom_call @Sharding(%a, %a) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 17.mlir
//! 17.mlir:2:8: error: custom_call: a call of Sharding needs one sharding [annotation]
//!   %0 = stablehlo.custom_call @Sharding(%a) : (tensor<8xf32>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 18.mlir --from=stablehlo
//! 18.mlir:1:1: error: op `ml_program.subgraph` is not supported in a module [unknown-op]
//! ml_program.subgraph private @g
//! ^~~~~~~~~~~~~~~~~~~
// EXIT: 5
// RUN: compile 19.mlir --from=stablehlo
//! 19.mlir:1:2: error: op `ml_program.global` is not supported in a module [unknown-op]
//! "ml_program.global"() <{sym_name = "g"}> : () -> ()
//!  ^~~~~~~~~~~~~~~~~
// EXIT: 5
// RUN: compile 20.mlir
//! 20.mlir:1:10: error: expected the name of the mesh, found `mesh` [syntax]
//! sdy.mesh mesh = <["x"=2]>
//!          ^~~~
// EXIT: 3
// RUN: compile 21.mlir
//! 21.mlir:1:11: error: function @main has no body [unsupported-feature]
//! func.func @main(%a: tensor<8xf32>) -> tensor<8xf32>
//!           ^~~~~
// EXIT: 5
// RUN: compile 22.mlir
//! 22.mlir:2:51: error: 2 shardings for one value [annotation]
//! func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{}]>]>}) -> tensor<8xf32> {
//!                                                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 23.mlir
//! 23.mlir:2:3: error: unknown op `cf.br` [unknown-op]
//!   cf.br ^bb1
//!   ^~~~~
//! 23.mlir:3:3: error: a function of several blocks is not supported [unsupported-feature]
//!   ^bb1:
//!   ^
// EXIT: 5
// RUN: compile 24.mlir
//! 24.mlir:3:3: error: a function of several blocks is not supported [unsupported-feature]
//!   ^bb1:
//!   ^
// EXIT: 5
// RUN: compile 25.mlir
//! 25.mlir:1:11: error: function @main declares 2 results and returns 1 [operand-count]
//! func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
//!           ^~~~~
// EXIT: 4
// RUN: compile 26.mlir --from=stablehlo
//! 26.mlir:1:2: error: a mesh without its axes [attribute]
//! "sdy.mesh"() <{sym_name = "m", mesh = 1}> : () -> ()
//!  ^~~~~~~~
// EXIT: 3
// RUN: compile 27.mlir
//! 27.mlir:2:7: error: expected the name of a result, found `=` [syntax]
//!   %0, = stablehlo.negate %a : tensor<8xf32>
//!       ^
//! 27.mlir:3:10: error: %0 is not defined [undefined-value]
//!   return %0 : tensor<8xf32>
//!          ^~
// EXIT: 3
// RUN: compile 28.mlir
//! 28.mlir:2:6: error: expected the number of results, found `x` [syntax]
//!   %0:x = stablehlo.negate %a : tensor<8xf32>
//!      ^
//! 28.mlir:3:10: error: %0 is not defined [undefined-value]
//!   return %0 : tensor<8xf32>
//!          ^~
// EXIT: 3
// RUN: compile 29.mlir
//! 29.mlir:3:8: error: if: has one operand and two regions [operand-count]
//!   %0 = "stablehlo.if"(%c) ({
//!        ^~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 30.mlir
//! 30.mlir:3:8: error: if: the flag is s32[], expected pred[] [control-flow-form]
//!   %0 = "stablehlo.if"(%c) ({
//!        ^~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 31.mlir
//! 31.mlir:3:10: error: %0 is f32[8], returned as f32[4] [shape]
//!   return %0 : tensor<4xf32>
//!          ^~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 32.mlir
//! 32.mlir:2:28: error: expected the name of a composite, found `f` [syntax]
//!   %0 = stablehlo.composite f %a {decomposition = @f} : (tensor<8xf32>) -> tensor<8xf32>
//!                            ^
// EXIT: 3
// RUN: compile 33.mlir
//! 33.mlir:2:8: error: add: has 2 operands and 1 types of operands [operand-count]
//!   %0 = stablehlo.add %a, %a : (tensor<8xf32>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 34.mlir
//! 34.mlir:2:10: error: negate: has 1 results, and 2 of them are named [operand-count]
//!   %0:2 = stablehlo.negate %a : (tensor<8xf32>) -> tensor<8xf32>
//!          ^~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 35.mlir
//! 35.mlir:6:28: error: the region of stablehlo.reduce uses %b from outside, which is no constant [unsupported-feature]
//!     %s = stablehlo.add %x, %b : tensor<f32>
//!                            ^~
// EXIT: 5
// RUN: compile 36.mlir
//! 36.mlir:5:3: error: a region of several blocks is not supported [unsupported-feature]
//!   ^bb1:
//!   ^
//! 36.mlir:5:3: error: a function of several blocks is not supported [unsupported-feature]
//!   ^bb1:
//!   ^
// EXIT: 5
// RUN: compile 37.mlir
//! 37.mlir:5:4: error: the region of stablehlo.case does not end with a return [syntax]
//!   }) : (tensor<i32>) -> tensor<8xf32>
//!    ^
// EXIT: 3
// RUN: compile 38.mlir
//! 38.mlir:2:76: error: expected '>', found ')' [sharding-text]
//! func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]) -> tensor<8xf32> {
//!                                                                            ^
// EXIT: 3
// RUN: compile 39.mlir
//! 39.mlir:1:52: error: a sharding of a tuple stands at one value [unsupported-feature]
//! func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{{replicated}, {replicated}}"}) -> tensor<8xf32> {
//!                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 5
// RUN: compile 40.mlir
//! 40.mlir:1:28: error: type `tensor<8>` has no element type [syntax]
//! func.func @main(%a: tensor<8>) -> tensor<8xf32> {
//!                            ^
// EXIT: 3
// RUN: compile 41.mlir
//! 41.mlir:1:28: error: `99999999999999999999` is no size of a dim [syntax]
//! func.func @main(%a: tensor<99999999999999999999xf32>) -> tensor<8xf32> {
//!                            ^~~~~~~~~~~~~~~~~~~~
// EXIT: 3
// RUN: compile 42.mlir
//! 42.mlir:2:1: error: the file ends where `>` at the end of a type is expected [truncated]
//!
//! ^
// EXIT: 3
// RUN: compile 43.mlir
//! 43.mlir:2:1: error: the file ends where `>` at the end of the mesh is expected [truncated]
//!
//! ^
// EXIT: 3
// RUN: compile 44.mlir
//! 44.mlir:2:85: error: called_computations: expected the name of a function [attribute]
//!   %0 = "stablehlo.custom_call"(%a) <{call_target_name = "f", called_computations = [1]}> : (tensor<8xf32>) -> tensor<8xf32>
//!                                                                                     ^
// EXIT: 3
// RUN: compile 45.mlir
//! 45.mlir:1:52: error: the braces of the metadata do not end [sharding-text]
//! func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{replicated metadata={a"}) -> tensor<8xf32> {
//!                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 3
// RUN: compile 46.mlir
//! 46.mlir:3:1: error: the file ends where `>` at the end of a literal is expected [truncated]
//!
//! ^
// EXIT: 3
// RUN: compile 47.mlir
//! 47.mlir:3:1: error: the file ends where `>` at the end of a sharding is expected [truncated]
//!
//! ^
// EXIT: 3
// RUN: compile 48.mlir
//! 48.mlir:3:25: error: %t is a tuple, which no op takes but get_tuple_element and return beside it [unsupported-feature]
//!   %0 = stablehlo.negate %t : tensor<8xf32>
//!                         ^~
// EXIT: 5
// RUN: compile 49.mlir
//! 49.mlir:2:8: error: tuple: the type of the tuple is not that of its elements [shape]
//!   %t = stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<4xf32>>
//!        ^~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 50.mlir
//! 50.mlir:3:8: error: get_tuple_element: %t has no element 2 [shape]
//!   %0 = stablehlo.get_tuple_element %t[2] : (tuple<tensor<8xf32>, tensor<8xf32>>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 51.mlir
//! 51.mlir:4:8: error: get_tuple_element: element 0 of %u is a tuple of 2 arrays [shape]
//!   %0 = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<8xf32>, tensor<8xf32>>>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 52.mlir
//! 52.mlir:2:3: error: tuple: has one result [operand-count]
//!   stablehlo.tuple %a, %a : tuple<tensor<8xf32>, tensor<8xf32>>
//!   ^~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile 53.mlir --stop-after=parse --emit=hlo
//! 53.mlir:2:8: error: stablehlo.unary_einsum cannot be written as HLO [unsupported-op]
//!   %0 = "stablehlo.unary_einsum"(%a) <{einsum_config = "a->a"}> : (tensor<8xf32>) -> tensor<8xf32>
//!        ^~~~~~~~~~~~~~~~~~~~~~~~
// EXIT: 5
