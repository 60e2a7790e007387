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

// An op of one language in the words of the other; nothing for other ops.
std::optional<Spelled> Respelled(const OpaqueAttrs& attrs, llvm::StringLiteral Names::*from,
                                 llvm::StringLiteral Names::*to, llvm::StringRef before, llvm::StringRef behind) {
  for (const Names& names : kNames) {
    std::optional<uint64_t> dim = attrs.name == names.*from ? Dim(attrs.text) : std::nullopt;
    if (dim) {
      return Spelled{(names.*to).str(), (before + std::to_string(*dim) + behind).str()};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Spelled> DimensionSizeAsHlo(const OpaqueAttrs& attrs) {
  return Respelled(attrs, &Names::stablehlo, &Names::hlo, ", dimensions={", "}");
}

std::optional<Spelled> DimensionSizeAsStablehlo(const OpaqueAttrs& attrs) {
  return Respelled(attrs, &Names::hlo, &Names::stablehlo, "dimension = ", " : i64");
}

}  // namespace spmdc::ops
