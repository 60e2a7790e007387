// A name that is no value's is told with those most like it.
func.func public @main(%hidden: tensor<8xf32>) -> tensor<8xf32> {
  %output = stablehlo.tanh %hidden : tensor<8xf32>
  return %output : tensor<8xf32>
}
// RUN: explain %s --value=%outputs
//! spmdc: error: no value is called '%outputs' [bad-option]
//! help: names like it: output, hidden
// EXIT: 2
