// Every op of StableHLO with static shapes is read and printed in a story.
#include "../stories.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

// Dims of unknown size, quantized types, and futures are refused.
constexpr llvm::StringLiteral kExempt[] = {
    "async_done",   "async_start",        "dynamic_broadcast_in_dim", "dynamic_conv",       "dynamic_gather",
    "dynamic_iota", "dynamic_pad",        "dynamic_reshape",          "real_dynamic_slice", "set_dimension_size",
    "unary_einsum", "uniform_dequantize", "uniform_quantize"};

// Of MHLO and CHLO: on shapes as values, and ops with regions that no text has.
constexpr llvm::StringLiteral kExemptChlo[] = {"dynamic_reshape", "minimum_broadcast_shapes", "scan"};

constexpr llvm::StringLiteral kExemptMhlo[] = {"async_update", "minimum_broadcast_shapes", "scan"};

// Every op of a dialect, but for those that are exempt, and none of those.
void CheckStories(llvm::StringRef dialect, llvm::ArrayRef<llvm::StringLiteral> ops,
                  llvm::ArrayRef<llvm::StringLiteral> exempt) {
  std::string stories = CatalogueText(".mlir");
  for (llvm::StringRef op : ops) {
    std::string name = dialect.str() + "." + op.str();
    size_t at = llvm::StringRef(stories).find(name);
    bool there = false;
    while (at != llvm::StringRef::npos && !there) {
      there = !IsNameChar(stories[at + name.size()]);
      at = llvm::StringRef(stories).find(name, at + 1);
    }
    EXPECT_NE(there, llvm::is_contained(exempt, op)) << name;
  }
}

TEST(StablehloCatalogue, EveryOpHasAStory) {
  CheckStories("stablehlo", OpNames("stablehlo"), kExempt);
  CheckStories("sdy", OpNames("sdy"), {});
  CheckStories("chlo", OpNames("chlo"), kExemptChlo);
  CheckStories("mhlo", NamesOfMhloAlone(), kExemptMhlo);
}

}  // namespace
}  // namespace spmdc::text::stablehlo
