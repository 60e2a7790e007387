// Functions that call each other in a circle have no end.
module {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// RUN: compile %s
//! testdata/errors/fail_recursion.mlir:12:10: error: function @f calls itself [unsupported-feature]
//!     %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
//!          ^~~~
// EXIT: 5
