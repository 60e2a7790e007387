// What a function returns and its types.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// --- 1.mlir
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %a, %a : tensor<8xf32>
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
// RUN: compile 1.mlir --stop-after=parse
