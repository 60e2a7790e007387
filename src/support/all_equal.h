// Whether the elements of a range are all equal. LLVM's own word for it is is_splat up to version 14, all_equal from 16.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>

namespace spmdc {

// True for a range of one element, or of none.
template <typename Range>
bool AllEqual(const Range& range) {
  return std::adjacent_find(std::begin(range), std::end(range), std::not_equal_to<>()) == std::end(range);
}

}  // namespace spmdc
