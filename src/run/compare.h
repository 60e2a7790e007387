// When two numbers are the same: the tolerance of a value, and comparing blocks under it.
//
// Integers and pred must be equal. Floats may differ by 8 times what rounding explains: the largest of the error that the
// global program itself makes against wider floats, one rounding of its largest element, and the roundings of partial
// results on the device's way to the value. NaN meets NaN, an infinity the same infinity.
#pragma once

#include <optional>
#include <string>

#include "run/blocks.h"
#include "tensor/literal.h"

namespace spmdc::run {

inline constexpr double kSlack = 8;

struct Tolerance {
  double rounding = 0;      // the largest error that rounding explains
  bool overflowed = false;  // an element is finite in wider floats only: elements that are not finite then say nothing
};

// Of a value of the global program, given the same in wider floats (or itself, where no op made it).
Tolerance ToleranceOf(const tensor::Literal& value, const tensor::Literal& wide);
// One rounding of the largest element; 0 for types that are exact.
double RoundingOf(const tensor::Literal& value);

struct Difference {
  tensor::Dims index;  // of the first element that differs, in the whole value
  std::string got, expected;
  double error = 0;   // NaN where one of them is not finite
  int64_t count = 0;  // elements of the block that differ
};

// How a block compares with its range of the whole value.
struct Comparison {
  bool identical = false;  // bit for bit
  std::optional<Difference> difference;
};
Comparison CompareBlock(const tensor::Literal& block, const tensor::Literal& whole, const Range& range, double allowed,
                        bool overflowed);

}  // namespace spmdc::run
