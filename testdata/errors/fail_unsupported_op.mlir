// A custom call that this tool does not know is kept as an opaque op with its text, and each device calls it; it cannot be run here.
module {
  func.func public @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.custom_call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
// RUN: compile %s --stop-after=types
//| spmdc.flat(1)
//| def main(a: f32[4, 4]):
//|     v0: f32[4, 4] = spmdc.op('stablehlo.custom_call', a, text='<{call_target_name = "mine"}>', result_types=(f32[4, 4],))
//|     return v0
// RUN: compile %s --stop-after=types --emit=stablehlo
//| module {
//|   func.func public @main(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>) {
//|     %0 = "stablehlo.custom_call"(%a) <{call_target_name = "mine"}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
//|     return %0 : tensor<4x4xf32>
//|   }
//| }
// RUN: compile %s --stop-after=types --emit=hlo
//| HloModule main, entry_computation_layout={(f32[4,4]{1,0})->f32[4,4]{1,0}}
//|
//| ENTRY main {
//|   %a = f32[4,4]{1,0} parameter(0)
//|   ROOT %v0 = f32[4,4]{1,0} custom-call(%a), custom_call_target="mine"
//| }
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4,4]{1,0})->f32[4,4]{1,0}}
//|
//| ENTRY main_spmd {
//|   %a = f32[4,4]{1,0} parameter(0), sharding={replicated}
//|   ROOT %v0 = f32[4,4]{1,0} custom-call(%a), custom_call_target="mine"
//| }
// RUN: run %s
//! testdata/errors/fail_unsupported_op.mlir:4:10: error: `stablehlo.custom_call` cannot be run: what `mine` computes is not known here [unsupported-op]
//!     %0 = stablehlo.custom_call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
//!          ^~~~~~~~~~~~~~~~~~~~~
// EXIT: 5
