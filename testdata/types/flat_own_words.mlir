// What JAX's functions refuse, or make something else of, is printed as an op of its own.
func.func @main(%a: tensor<6xi1>, %b: tensor<6xi32>, %c: tensor<6xf32>, %d: tensor<6xcomplex<f32>>, %i: tensor<ui32>) -> (tensor<6xi1>, tensor<6xi32>, tensor<6xf32>, tensor<6xcomplex<f32>>, tensor<1xi32>) {
  %0 = stablehlo.add %a, %a : tensor<6xi1>
  %1 = stablehlo.power %b, %b : tensor<6xi32>
  %2 = stablehlo.real %c : tensor<6xf32>
  %3 = stablehlo.reshape %2 : (tensor<6xf32>) -> tensor<6xf32>
  %4 = stablehlo.cbrt %d : tensor<6xcomplex<f32>>
  %5 = stablehlo.dynamic_slice %b, %i, sizes = [1] : (tensor<6xi32>, tensor<ui32>) -> tensor<1xi32>
  return %0, %1, %3, %4, %5 : tensor<6xi1>, tensor<6xi32>, tensor<6xf32>, tensor<6xcomplex<f32>>, tensor<1xi32>
}
// RUN: compile --stop-after=parse --emit=spmd %s
//| spmdc.flat(1)
//| def main(a: pred[6], b: s32[6], c: f32[6], d: c64[6], i: u32):
//|     v0: pred[6] = spmdc.op('add', a, a)
//|     v1: s32[6] = spmdc.op('power', b, b)
//|     v2: f32[6] = spmdc.op('real', c)
//|     v3: f32[6] = spmdc.op('reshape', v2, new_sizes=(6,))
//|     v4: c64[6] = spmdc.op('cbrt', d)
//|     v5: s32[1] = spmdc.op('dynamic_slice', b, i, slice_sizes=(1,))
//|     return (v0, v1, v3, v4, v5)
