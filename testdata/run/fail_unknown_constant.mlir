// The text leaves the elements of a constant out: it compiles, and cannot be run.
module {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
    %0 = stablehlo.add %a, %c : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={replicated}
//|   %c = f32[4]{0} constant({...})
//|   ROOT %v0 = f32[4]{0} add(%a, %c)
//| }
// RUN: run %s
//! testdata/run/fail_unknown_constant.mlir:4:10: error: the text leaves out the elements of 'c', so that the program cannot be run [unknown-constant]
//!     %c = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
//!          ^~~~~~~~~~~~~~~~~~
// EXIT: 5
