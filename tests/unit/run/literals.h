// Arrays of numbers, for the tests of this folder.
#pragma once

#include <limits>
#include <vector>

#include "tensor/literal.h"

namespace spmdc::run {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

// An array of one dim.
inline tensor::Literal Of(tensor::DType dtype, const std::vector<double>& numbers) {
  return tensor::Literal::Numbers(dtype, {static_cast<int64_t>(numbers.size())}, numbers);
}

}  // namespace spmdc::run
