// Inside of a manual region a device may ask which one it is.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main() -> tensor<2xi32> {
    %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} () {
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.convert %1 : (tensor<ui32>) -> tensor<i32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1xi32>
      sdy.return %3 : tensor<1xi32>
    } : () -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={()->s32[1]{0}}, num_partitions=2
//|
//| ENTRY main_spmd {
//|   %v1 = u32[] partition-id()
//|   %v2 = s32[] convert(%v1)
//|   ROOT %v3 = s32[1]{0} broadcast(%v2), dimensions={}
//| }
// RUN: run %s --check
//| same numbers on 2 devices: 8 values with 8 elements compared, 0 collectives a device, 0 bytes sent by one device
