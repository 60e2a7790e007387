// Lines that are like earlier ones: what is taken over from them, and what is looked at again.
#include <string>

#include "../program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "text/stablehlo/reader.h"

namespace spmdc::text::stablehlo {
namespace {

using ::testing::HasSubstr;

ReadProgram Main(const std::string& body, const std::string& result) {
  return ReadProgram(Read, "t.mlir",
                     "sdy.mesh @m = <[\"x\"=2]>\n"
                     "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<2xf32>) -> " +
                         result + " {\n" + body + "}\n");
}

const ir::Function& Entry(const ReadProgram& program) { return program.module->functions[program.module->entry]; }

TEST(KnownLine, OperandsAreThoseOfTheLine) {
  ReadProgram program = Main(
      "  %0 = stablehlo.subtract %a, %b : tensor<4xf32>\n"
      "  %1 = stablehlo.subtract %b, %0 : tensor<4xf32>\n"
      "  return %1 : tensor<4xf32>\n",
      "tensor<4xf32>");
  ASSERT_TRUE(program.module) << program.Messages();
  const ir::Function& f = Entry(program);
  const ir::Inst& second = f.insts[ir::InstId{1}];
  EXPECT_EQ(f.operands(second)[0], f.args[1]);
  EXPECT_EQ(f.operands(second)[1], f.result(f.insts[ir::InstId{0}]));
}

TEST(KnownLine, OneValueTwiceAndResultsByNumber) {
  ReadProgram program = Main(
      "  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>\n"
      "  %1 = chlo.square %b : tensor<4xf32> -> tensor<4xf32>\n"
      "  %2:2 = stablehlo.optimization_barrier %0, %1 : tensor<4xf32>, tensor<4xf32>\n"
      "  %3:2 = stablehlo.optimization_barrier %2#1, %2#0 : tensor<4xf32>, tensor<4xf32>\n"
      "  return %3#0 : tensor<4xf32>\n",
      "tensor<4xf32>");
  ASSERT_TRUE(program.module) << program.Messages();
  const ir::Function& f = Entry(program);
  EXPECT_EQ(f.operands(f.insts[ir::InstId{1}])[0], f.args[1]);
  EXPECT_EQ(f.operands(f.insts[ir::InstId{1}])[1], f.args[1]);
  EXPECT_EQ(f.operands(f.insts[ir::InstId{3}])[0], f.result(f.insts[ir::InstId{2}], 1));
  EXPECT_EQ(f.operands(f.insts[ir::InstId{3}])[1], f.result(f.insts[ir::InstId{2}], 0));
}

TEST(KnownLine, ShardingsAndLocationsAreKeptApart) {
  ReadProgram program = Main(
      "  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{\"x\"}]>]>} : tensor<4xf32> "
      "loc(\"p\")\n"
      "  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{\"x\"}]>]>} : tensor<4xf32> "
      "loc(\"q\")\n"
      "  %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : tensor<4xf32>\n"
      "  return %2 : tensor<4xf32>\n",
      "tensor<4xf32>");
  ASSERT_TRUE(program.module) << program.Messages();
  const ir::Function& f = Entry(program);
  auto sharding = [&](int32_t inst) { return f.values[f.result(f.insts[ir::InstId{inst}])].sharding; };
  EXPECT_TRUE(sharding(1).valid());
  EXPECT_EQ(sharding(0), sharding(1));
  EXPECT_NE(sharding(1), sharding(2));
  EXPECT_EQ(program.module->tables->sources[f.insts[ir::InstId{0}].source].op_name, "p");
  EXPECT_EQ(program.module->tables->sources[f.insts[ir::InstId{1}].source].op_name, "q");
  EXPECT_FALSE(f.insts[ir::InstId{2}].source.valid());
}

TEST(KnownLine, EveryLineIsChecked) {
  EXPECT_THAT(Main("  %0 = stablehlo.negate %a : tensor<4xf32>\n"
                   "  %1 = stablehlo.negate %c : tensor<4xf32>\n"
                   "  %2 = stablehlo.negate %b : tensor<4xf32>\n"
                   "  %3 = stablehlo.negate %nowhere : tensor<4xf32>\n"
                   "  %0 = stablehlo.negate %a : tensor<4xf32>\n"
                   "  return %0 : tensor<4xf32>\n",
                   "tensor<4xf32>")
                  .Messages(),
              testing::AllOf(HasSubstr("4: %c is f32[2], used as f32[4]"), HasSubstr("6: %nowhere is not defined"),
                             HasSubstr("7: %0 is defined twice")));
  EXPECT_THAT(Main("  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<4xf32>\n"
                   "  %1 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<4xf32>\n"
                   "  return %1 : tensor<4xf32>\n",
                   "tensor<4xf32>")
                  .Messages(),
              HasSubstr("4: optimization_barrier: has 2 results, and 1 of them are named"));
}

}  // namespace
}  // namespace spmdc::text::stablehlo
