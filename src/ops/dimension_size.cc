// Their names and their one number, the dim.
#include "ops/dimension_size.h"

#include "llvm/ADT/StringExtras.h"

namespace spmdc::ops {
namespace {

struct Names {
  llvm::StringLiteral stablehlo, hlo;
};
constexpr Names kNames[] = {
    {llvm::StringLiteral("stablehlo.get_dimension_size"), llvm::StringLiteral("get-dimension-size")},
    {llvm::StringLiteral("stablehlo.set_dimension_size"), llvm::StringLiteral("set-dimension-size")},
};

// The number behind the last `=`, `= {` on the way.
std::optional<uint64_t> Dim(llvm::StringRef text) {
  uint64_t dim = 0;
  llvm::StringRef digits = text.rsplit('=').second.ltrim(" {");
  return digits.consumeInteger(10, dim) ? std::nullopt : std::optional(dim);
}

}  // namespace

std::optional<Spelled> DimensionSizeAsHlo(const OpaqueAttrs& attrs) {
  for (const Names& names : kNames) {
    std::optional<uint64_t> dim = attrs.name == names.stablehlo ? Dim(attrs.text) : std::nullopt;
    if (dim) {
      return Spelled{names.hlo.str(), ", dimensions={" + std::to_string(*dim) + "}"};
    }
  }
  return std::nullopt;
}

std::optional<Spelled> DimensionSizeAsStablehlo(const OpaqueAttrs& attrs) {
  for (const Names& names : kNames) {
    std::optional<uint64_t> dim = attrs.name == names.hlo ? Dim(attrs.text) : std::nullopt;
    if (dim) {
      return Spelled{names.stablehlo.str(), "dimension = " + std::to_string(*dim) + " : i64"};
    }
  }
  return std::nullopt;
}

}  // namespace spmdc::ops
