// Ops that read and set how large a bounded dim is, which this tool keeps as text, from one language into the other.
#pragma once

#include <optional>
#include <string>

#include "ops/opaque.h"

namespace spmdc::ops {

// `stablehlo.get_dimension_size` with `%0, dim = 1` as `get-dimension-size` with `, dimensions={1}`, and the other way round,
// with `<{dimension = 1 : i64}>`; likewise for set_dimension_size. Nothing for other ops.
struct Spelled {
  std::string name, text;
};
std::optional<Spelled> DimensionSizeAsHlo(const OpaqueAttrs& attrs);
std::optional<Spelled> DimensionSizeAsStablehlo(const OpaqueAttrs& attrs);

}  // namespace spmdc::ops
