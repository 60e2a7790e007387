// Shardy's shardings: a right one, and what can be wrong with one.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {?}], replicated={"y"}>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// --- 1.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p99999999999, {}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// --- 2.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], foo={"y"}>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// --- 3.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<foo, [{}, {}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// --- 4.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[0, 1]>, [{}, {}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// RUN: compile %s --stop-after=parse --emit=hlo
//| HloModule main, entry_computation_layout={(f32[8,8]{1,0})->f32[8,8]{1,0}}, num_partitions=4, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}
//|
//| ENTRY main {
//|   ROOT %a = f32[8,8]{1,0} parameter(0), frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}p1, {?}], replicated={\"y\"}>"}
//| }
// RUN: compile 1.mlir
//! 1.mlir:2:81: error: the priority is too large [sharding-text]
//! func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p99999999999, {}]>}) -> tensor<8x8xf32> {
//!                                                                                 ^
// EXIT: 3
// RUN: compile 2.mlir
//! 2.mlir:2:87: error: expected replicated or unreduced, found 'foo' [sharding-text]
//! func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], foo={"y"}>}) -> tensor<8x8xf32> {
//!                                                                                       ^
// EXIT: 3
// RUN: compile 3.mlir
//! 3.mlir:2:67: error: expected '@' and the name of a mesh, or mesh<...>, found 'foo' [sharding-text]
//! func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<foo, [{}, {}]>}) -> tensor<8x8xf32> {
//!                                                                   ^
// EXIT: 3
// RUN: compile 4.mlir
//! 4.mlir:2:88: error: a mesh without axes names one device [sharding-text]
//! func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[0, 1]>, [{}, {}]>}) -> tensor<8x8xf32> {
//!                                                                                        ^
// EXIT: 3
