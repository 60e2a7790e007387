// Tests of rules that the text gives.
#include "op/custom_rule.h"

#include "gtest/gtest.h"

namespace spmdc::op {
namespace {

std::string Parsed(llvm::StringRef text) {
  ir::Type matrix = ir::ArrayType(tensor::DType::F32, {8, 16});
  std::optional<Rule> rule = ParseCustomRule(text, {&matrix}, {&matrix});
  return rule ? ToString(*rule) : "none";
}

TEST(CustomRule, FactorsSizesAndKindsAreRead) {
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=16, k=16}, custom>"),
            "([i, j]) -> ([i, k])  i=8 map, j=16 map, k=16 new");
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([ij, k])->([i, k]) {i=4, j=2, k=16} reduction={j} permutation={k} "
                   "blocked_propagation={i}>"),
            "([ij, k]) -> ([i, k])  i=4 map blocked, j=2 reduce, k=16 piece");
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([z, z_1])->([z, z_1]) {z=8, z_1=16} need_replication={z_1}>"),
            "([i, j]) -> ([i, j])  i=8 map, j=16 whole");
}

TEST(CustomRule, WhatIsNoRuleForTheTypesIsNone) {
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([i])->([i]) {i=8}>"), "none");
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([i, j], [i])->([i, j]) {i=8, j=16}>"), "none");
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=0}>"), "none");
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16} other={i}>"), "none");
  EXPECT_EQ(Parsed("#sdy.op_sharding_rule<([i, j]"), "none");
}

}  // namespace
}  // namespace spmdc::op
