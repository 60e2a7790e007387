// Aliases that stand for more than anybody can hold.
#a0 = {x = "0123456789012345678901234567890123456789"}
#a1 = [#a0, #a0]
#a2 = [#a1, #a1]
#a3 = [#a2, #a2]
#a4 = [#a3, #a3]
#a5 = [#a4, #a4]
#a6 = [#a5, #a5]
#a7 = [#a6, #a6]
#a8 = [#a7, #a7]
#a9 = [#a8, #a8]
#a10 = [#a9, #a9]
#a11 = [#a10, #a10]
#a12 = [#a11, #a11]
#a13 = [#a12, #a12]
#a14 = [#a13, #a13]
#a15 = [#a14, #a14]
#a16 = [#a15, #a15]
#a17 = [#a16, #a16]
#a18 = [#a17, #a17]
#a19 = [#a18, #a18]
#a20 = [#a19, #a19]
#a21 = [#a20, #a20]
#a22 = [#a21, #a21]
#a23 = [#a22, #a22]
#a24 = [#a23, #a23]
func.func public @main(%0: tensor<8xf32>) -> tensor<8xf32> {
  %1 = stablehlo.tanh %0 {result_accuracy = #a24} : tensor<8xf32>
  return %1 : tensor<8xf32>
}
// RUN: compile %s
//! testdata/errors/fail_aliases_too_large.mlir:11:14: error: the aliases of this text stand for more than 16 times its size [too-large]
//! #a9 = [#a8, #a8]
//!              ^~
//! testdata/errors/fail_aliases_too_large.mlir:28:51: error: expected an op of a module, found `:` [syntax]
//!   %1 = stablehlo.tanh %0 {result_accuracy = #a24} : tensor<8xf32>
//!                                                   ^
// EXIT: 3
