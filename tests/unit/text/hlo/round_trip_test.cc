// What the writer prints of a story reads back as a program that prints the same.
#include "../program.h"
#include "../stories.h"
#include "gtest/gtest.h"
#include "text/hlo/reader.h"
#include "text/hlo/writer.h"

namespace spmdc::text::hlo {
namespace {

TEST(HloRoundTrip, EveryStory) {
  size_t printed = 0;
  for (const Story& story : Stories("testdata", ".hlo")) {
    ReadProgram first(Read, story.path, story.text);
    if (!first.module || !CheckWritable(*first.module, first.diags)) {
      continue;
    }
    std::string text = Write(*first.module, {});
    ReadProgram second(Read, "printed", text);
    ASSERT_TRUE(second.module) << story.path << "\n" << second.Messages() << text;
    EXPECT_EQ(Write(*second.module, {}), text) << story.path;
    ++printed;
  }
  EXPECT_GT(printed, 5U);
}

TEST(HloRoundTrip, AxesWithQuotesInTheirNames) {
  std::string text =
      "HloModule m, entry_computation_layout={(f32[8]{0})->f32[8]{0}}, num_partitions=2, "
      "frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<[\"a\\\"b\"=2]>}}\n\n"
      "xla.sdy.manual_computation_body {\n  ROOT %b = f32[4]{0} parameter(0)\n}\n\n"
      "ENTRY main {\n"
      "  %a = f32[8]{0} parameter(0), frontend_attributes={xla.sdy.sharding=\"#sdy.sharding<@mesh, "
      "[{\\\"a\\\\\\\"b\\\"}]>\"}\n"
      "  %manual.in = f32[4]{0} custom-call(%a), custom_call_target=\"xla.sdy.GlobalToLocalShape\", "
      "custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings=\"#sdy.sharding_per_value<[<@mesh, "
      "[{\\\"a\\\\\\\"b\\\"}]>]>\",xla.sdy.manual_axes=\"#sdy<manual_axes{\\\"a\\\\\\\"b\\\"}>\"}\n"
      "  %manual_ = f32[4]{0} call(%manual.in), to_apply=xla.sdy.manual_computation_body, "
      "frontend_attributes={inlineable=\"false\"}\n"
      "  ROOT %out = f32[8]{0} custom-call(%manual_), custom_call_target=\"xla.sdy.LocalToGlobalShape\", "
      "custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes=\"#sdy<manual_axes{\\\"a\\\\\\\"b"
      "\\\"}>\",xla.sdy.out_shardings=\"#sdy.sharding_per_value<[<@mesh, [{\\\"a\\\\\\\"b\\\"}]>]>\"}\n}\n";
  ReadProgram program(Read, "quoted", text);
  ASSERT_TRUE(program.module) << program.Messages();
  EXPECT_EQ(Write(*program.module, {}), text);
}

}  // namespace
}  // namespace spmdc::text::hlo
