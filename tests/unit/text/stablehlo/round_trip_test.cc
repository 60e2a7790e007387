// What the writer prints of a story reads back as a program that prints the same.
#include "../program.h"
#include "../stories.h"
#include "gtest/gtest.h"
#include "text/stablehlo/reader.h"
#include "text/stablehlo/writer.h"

namespace spmdc::text::stablehlo {
namespace {

TEST(StablehloRoundTrip, EveryStory) {
  size_t printed = 0;
  for (const Story& story : Stories("testdata", ".mlir")) {
    ReadProgram first(Read, story.path, story.text);
    if (!first.module || !CheckWritable(*first.module, first.diags)) {
      continue;
    }
    std::string text = Write(*first.module);
    ReadProgram second(Read, "printed", text);
    ASSERT_TRUE(second.module) << story.path << "\n" << second.Messages() << text;
    EXPECT_EQ(Write(*second.module), text) << story.path;
    ++printed;
  }
  EXPECT_GT(printed, 5U);
}

TEST(StablehloRoundTrip, AxesWithQuotesInTheirNames) {
  std::string text = R"(module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a\"b\\c"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a\"b\\c"}]>}) -> (tensor<8xf32>) {
    %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a\"b\\c"}]>]>, manual_axes = #sdy<manual_axes{"a\"b\\c"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"a\"b\\c"}]>]>}> ({
    ^bb0(%b: tensor<4xf32>):
      sdy.return %b : tensor<4xf32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
)";
  ReadProgram program(Read, "quoted", text);
  ASSERT_TRUE(program.module) << program.Messages();
  EXPECT_EQ(program.module->tables->meshes[program.module->mesh].axes[0].name, "a\"b\\c");
  EXPECT_EQ(Write(*program.module), text);
}

}  // namespace
}  // namespace spmdc::text::stablehlo
