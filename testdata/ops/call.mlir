// A function called twice; a value goes through a barrier that keeps ops from being moved across.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = call @twice(%a) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.optimization_barrier %0 : tensor<8xf32>
    %2 = call @twice(%1) : (tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @twice(%v: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.add %v, %v : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, num_partitions=2
//|
//| twice {
//|   %v = f32[4]{0} parameter(0)
//|   ROOT %v0 = f32[4]{0} add(%v, %v)
//| }
//|
//| twice_1 {
//|   %v = f32[4]{0} parameter(0)
//|   ROOT %v0 = f32[4]{0} add(%v, %v)
//| }
//|
//| ENTRY main_spmd {
//|   %a = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %v0 = f32[4]{0} call(%a), to_apply=twice
//|   %v1 = f32[4]{0} opt-barrier(%v0)
//|   ROOT %v2 = f32[4]{0} call(%v1), to_apply=twice_1
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 18 values with 72 elements compared, 0 collectives a device, 0 bytes sent by one device
