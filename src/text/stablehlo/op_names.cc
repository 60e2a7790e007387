// The ops of StableHLO 1.x, Shardy's dialect and CHLO, those that this tool has no kind for among them.
#include <algorithm>
#include <iterator>

#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

constexpr llvm::StringLiteral kStablehlo[] = {
    // clang-format off
    "abs", "add", "after_all", "all_gather", "all_reduce", "all_to_all", "and", "async_done", "async_start", "atan2",
    "batch_norm_grad",
    "batch_norm_inference", "batch_norm_training", "bitcast_convert", "broadcast", "broadcast_in_dim", "case", "cbrt",
    "ceil", "cholesky", "clamp", "collective_broadcast", "collective_permute", "compare", "complex", "composite",
    "concatenate", "constant", "convert", "convolution", "cosine", "count_leading_zeros", "create_token",
    "custom_call", "divide", "dot", "dot_general", "dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather",
    "dynamic_iota", "dynamic_pad", "dynamic_reshape", "dynamic_slice", "dynamic_update_slice", "einsum",
    "exponential", "exponential_minus_one", "fft", "floor", "gather", "get_dimension_size", "get_tuple_element", "if",
    "imag", "infeed", "iota", "is_finite", "log", "log_plus_one", "logistic", "map", "maximum", "minimum", "multiply",
    "negate", "not", "optimization_barrier", "or", "outfeed", "pad", "partition_id", "popcnt", "power", "real",
    "real_dynamic_slice", "recv", "reduce", "reduce_precision", "reduce_scatter", "reduce_window", "remainder",
    "replica_id", "reshape", "return", "reverse", "rng", "rng_bit_generator", "round_nearest_afz",
    "round_nearest_even", "rsqrt", "scatter", "select", "select_and_scatter", "send", "set_dimension_size",
    "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "slice", "sort", "sqrt",
    "subtract", "tan", "tanh", "torch_index_select", "transpose", "triangular_solve", "tuple", "unary_einsum",
    "uniform_dequantize", "uniform_quantize", "while", "xor",
    // clang-format on
};

constexpr llvm::StringLiteral kSdy[] = {
    // clang-format off
    "all_gather", "all_reduce", "all_slice", "all_to_all", "collective_permute", "constant", "data_flow_edge",
    "func_data_flow_edge", "manual_computation", "mesh", "named_computation", "propagation_barrier", "reduce_scatter",
    "replicated_to_unreduced", "reshard", "return", "sharded_to_unreduced", "sharding_constraint", "sharding_group",
    // clang-format on
};

constexpr llvm::StringLiteral kChlo[] = {
    // clang-format off
    "_asin_acos_kernel", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "broadcast_add",
    "broadcast_and", "broadcast_atan2", "broadcast_compare", "broadcast_complex", "broadcast_divide",
    "broadcast_maximum", "broadcast_minimum", "broadcast_multiply", "broadcast_next_after", "broadcast_or",
    "broadcast_polygamma", "broadcast_power", "broadcast_remainder", "broadcast_select", "broadcast_shift_left",
    "broadcast_shift_right_arithmetic", "broadcast_shift_right_logical", "broadcast_subtract", "broadcast_xor",
    "broadcast_zeta", "conj", "constant", "constant_like", "cosh", "digamma", "dynamic_reshape", "erf", "erf_inv",
    "erfc", "is_inf", "is_neg_inf", "is_pos_inf", "lgamma", "minimum_broadcast_shapes", "mulhi", "next_after",
    "polygamma", "ragged_dot", "scan", "sinh", "square", "tan", "top_k", "zeta",
    // clang-format on
};

// What only MHLO has.
constexpr llvm::StringLiteral kMhlo[] = {
    // clang-format off
    "acos", "acosh", "add_dependency", "asin", "asinh", "async_update", "atanh", "bitcast", "copy", "cosh", "domain",
    "erf", "fusion", "minimum_broadcast_shapes", "mulhi", "ragged_dot", "scan", "sinh", "stochastic_convert", "topk",
    "trace",
    // clang-format on
};

}  // namespace

llvm::ArrayRef<llvm::StringLiteral> OpNames(llvm::StringRef dialect) {
  if (dialect == "stablehlo" || dialect == "mhlo") {
    return kStablehlo;
  }
  if (dialect == "sdy") {
    return kSdy;
  }
  return dialect == "chlo" ? llvm::ArrayRef<llvm::StringLiteral>(kChlo) : llvm::ArrayRef<llvm::StringLiteral>();
}

llvm::ArrayRef<llvm::StringLiteral> NamesOfMhloAlone() { return kMhlo; }

bool IsMhloAlone(llvm::StringRef name) {
  auto [dialect, mnemonic] = name.split('.');
  return dialect == "mhlo" && std::binary_search(std::begin(kMhlo), std::end(kMhlo), mnemonic);
}

bool IsKnownOpName(llvm::StringRef name) {
  auto [dialect, mnemonic] = name.split('.');
  llvm::ArrayRef<llvm::StringLiteral> names = OpNames(dialect);
  return std::binary_search(names.begin(), names.end(), mnemonic) || IsMhloAlone(name);
}

}  // namespace spmdc::text::stablehlo
