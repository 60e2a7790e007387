// The same program with its language, last stage and output named, and from standard input.
module {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.tanh %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: compile %s --from=stablehlo --stop-after=partition --emit=hlo
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={replicated}
//|   ROOT %v0 = f32[4]{0} tanh(%a)
//| }
// RUN: compile - --from=stablehlo --stop-after=types < %s
//| def main(a: f32[4]):
//|     v0: f32[4] = lax.tanh(a)
//|     return v0
