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

}  // namespace
}  // namespace spmdc::text::hlo
