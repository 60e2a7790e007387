// The algorithm of a contraction is kept in the flat form.
module {
  func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
// RUN: compile --stop-after=parse --emit=spmd %s
//| spmdc.flat(1)
//| def main(a: f32[4, 8], b: f32[8, 4]):
//|     v0: f32[4, 4] = lax.dot_general(a, b, dimension_numbers=(((1,), (0,)), ((), ())), algorithm='lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false')
//|     return v0
