// Every opcode of HLO is read and printed in a story.
#include "../stories.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "text/hlo/opcodes.h"

namespace spmdc::text::hlo {
namespace {

// Their results have dims of unknown size, which are refused.
constexpr llvm::StringLiteral kExempt[] = {"dynamic-reshape", "set-dimension-size"};

TEST(HloCatalogue, EveryOpcodeHasAStory) {
  std::string stories = CatalogueText(".hlo");
  for (llvm::StringRef opcode : Opcodes()) {
    bool there = llvm::StringRef(stories).contains(" " + opcode.str() + "(");
    EXPECT_NE(there, llvm::is_contained(kExempt, opcode)) << opcode.str();
  }
}

TEST(HloCatalogue, AsynchronousSpellings) {
  EXPECT_TRUE(IsOpcode("all-to-all-start"));
  EXPECT_TRUE(IsOpcode("fusion-done"));
  EXPECT_FALSE(IsOpcode("-start"));
  EXPECT_FALSE(IsOpcode("tnah"));
}

}  // namespace
}  // namespace spmdc::text::hlo
