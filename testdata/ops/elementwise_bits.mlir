// Functions of integers and of truth values.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %p: tensor<8xi1>) -> (tensor<8xi32>, tensor<8xi1>) {
    %0 = stablehlo.count_leading_zeros %a : tensor<8xi32>
    %1 = stablehlo.popcnt %a : tensor<8xi32>
    %2 = stablehlo.not %a : tensor<8xi32>
    %3 = stablehlo.and %a, %2 : tensor<8xi32>
    %4 = stablehlo.or %3, %0 : tensor<8xi32>
    %5 = stablehlo.xor %4, %a : tensor<8xi32>
    %6 = stablehlo.shift_left %5, %1 : tensor<8xi32>
    %7 = stablehlo.shift_right_arithmetic %6, %0 : tensor<8xi32>
    %8 = stablehlo.shift_right_logical %7, %1 : tensor<8xi32>
    %9 = stablehlo.not %p : tensor<8xi1>
    return %8, %9 : tensor<8xi32>, tensor<8xi1>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(s32[4]{0}, pred[8]{0})->(s32[4]{0}, pred[8]{0})}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %a = s32[4]{0} parameter(0), sharding={devices=[2]<=[2]}
//|   %p = pred[8]{0} parameter(1), sharding={replicated}
//|   %v0 = s32[4]{0} count-leading-zeros(%a)
//|   %v1 = s32[4]{0} popcnt(%a)
//|   %v2 = s32[4]{0} not(%a)
//|   %v3 = s32[4]{0} and(%a, %v2)
//|   %v4 = s32[4]{0} or(%v3, %v0)
//|   %v5 = s32[4]{0} xor(%v4, %a)
//|   %v6 = s32[4]{0} shift-left(%v5, %v1)
//|   %v7 = s32[4]{0} shift-right-arithmetic(%v6, %v0)
//|   %v8 = s32[4]{0} shift-right-logical(%v7, %v1)
//|   %v9 = pred[8]{0} not(%p)
//|   ROOT %tuple = (s32[4]{0}, pred[8]{0}) tuple(%v8, %v9)
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 28 values with 136 elements compared, 0 collectives a device, 0 bytes sent by one device
