// Every op of StableHLO with static shapes is read and printed in a story.
#include "../stories.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

// Dims of unknown size, quantized types and tuples that no call makes are refused.
constexpr llvm::StringLiteral kExempt[] = {
    "dynamic_broadcast_in_dim", "dynamic_conv",       "dynamic_gather",     "dynamic_iota", "dynamic_pad",
    "dynamic_reshape",          "real_dynamic_slice", "set_dimension_size", "tuple",        "unary_einsum",
    "uniform_dequantize",       "uniform_quantize"};

TEST(StablehloCatalogue, EveryOpHasAStory) {
  std::string stories = CatalogueText(".mlir");
  for (llvm::StringRef op : OpNames("stablehlo")) {
    size_t at = llvm::StringRef(stories).find("stablehlo." + op.str());
    bool there = false;
    while (at != llvm::StringRef::npos && !there) {
      char after = stories[at + 10 + op.size()];
      there = !IsNameChar(after);
      at = llvm::StringRef(stories).find("stablehlo." + op.str(), at + 1);
    }
    EXPECT_NE(there, llvm::is_contained(kExempt, op)) << op.str();
  }
}

}  // namespace
}  // namespace spmdc::text::stablehlo
