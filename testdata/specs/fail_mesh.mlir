// A mesh that the text cannot go along to: another mesh has other devices, a manual axis would change its size, a part of an
// axis does not divide the new size.
sdy.mesh @m1 = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x":(1)2}, {}]>}) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m1, [{"y"}, {}]>] out_shardings=[<@m1, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<4x16xf32>) {
    %1 = stablehlo.tanh %b : tensor<4x16xf32>
    sdy.return %1 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// --- two.mlir
sdy.mesh @m1 = <["x"=4, "y"=2]>
sdy.mesh @m2 = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x"}, {}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m2, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// RUN: compile %s --mesh=x=3,y=2
//! testdata/specs/fail_mesh.mlir:4:18: error: the program uses x:(1)2 of its mesh x=4 x y=2, which no axes of the mesh x=3 x y=2 are [mesh-mismatch]
//! func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x":(1)2}, {}]>}) -> tensor<8x16xf32> {
//!                  ^
// EXIT: 4
// RUN: compile %s --mesh=x=4,y=4
//! testdata/specs/fail_mesh.mlir:5:8: error: the text says what one device does, with axis 'y' of size 2; on the mesh x=4 x y=4 it has size 4 [mesh-mismatch]
//!   %0 = sdy.manual_computation(%a) in_shardings=[<@m1, [{"y"}, {}]>] out_shardings=[<@m1, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<4x16xf32>) {
//!        ^~~~~~~~~~~~~~~~~~~~~~
// EXIT: 4
// RUN: compile two.mlir --mesh=x=8,y=2
//! two.mlir:3:89: error: the program also uses the mesh x=4 x y=2, and now is for 16 devices [device-count]
//! ...c @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x"}, {}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m2, [{"x"}, {}]>}) -> tensor<...
//!                                                                                    ^
//! help: a specs file may say several meshes, each by the name of the one it stands for
// EXIT: 4
