// Aliases of types and of attributes; where the text is kept, what they stand for.
!row = tensor<8xf32>
!also = !row
#twice = {first = #once, second = #once}
#once = {eps = 1.0 : f32}
#s = #sdy.sharding<@mesh, [{"x"}]>
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: !row {sdy.sharding = #s}) -> !also {
    %0 = stablehlo.add %a, %a : !also
    %1 = stablehlo.custom_call @mine(%0) {mine.what = #once, backend_config = #twice} : (!row) -> tensor<8xf32>
    %2 = stablehlo.composite "a \22#once\22" %1 {composite_attributes = #twice, decomposition = @f} : (!row) -> !row
    return %2 : !row
  }
  func.func private @f(%a: !row) -> !row {
    return %a : !row
  }
}
// RUN: compile %s --stop-after=parse --emit=stablehlo
//| module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2]>
//|   func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>) {
//|     %0 = stablehlo.add %a, %a : tensor<8xf32>
//|     %1 = "stablehlo.custom_call"(%0) <{call_target_name = "mine", backend_config = {first = {eps = 1.0 : f32}, second = {eps = 1.0 : f32}}}> {mine.what = {eps = 1.0 : f32}} : (tensor<8xf32>) -> tensor<8xf32>
//|     %2 = stablehlo.composite "a \22#once\22" %1 {composite_attributes = {first = {eps = 1.0 : f32}, second = {eps = 1.0 : f32}}, decomposition = @f} : (tensor<8xf32>) -> tensor<8xf32>
//|     return %2 : tensor<8xf32>
//|   }
//|   func.func private @f(%a: tensor<8xf32>) -> (tensor<8xf32>) {
//|     return %a : tensor<8xf32>
//|   }
//| }
