// --entry chooses the function to enter; a name that no function has is refused.
module {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: compile %s --entry=twice
//| HloModule twice_spmd, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
//|
//| ENTRY twice_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={replicated}
//|   ROOT %v0 = f32[4]{0} add(%a, %a)
//| }
// RUN: compile %s --entry=twide
//! testdata/errors/fail_entry.mlir:1:1: error: the module has no function @twide [no-entry]
//! // --entry chooses the function to enter; a name that no function has is refused.
//! ^
//! help: did you mean --entry=twice?
// EXIT: 3
